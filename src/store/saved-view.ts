import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { cleanText } from '../lib/clean-text.ts';
import type { CancelTimer, Clock } from '../lib/clock.ts';
import { foldNumber } from '../lib/text.ts';
import type { Shape } from '../service/schema.ts';
import type { Document } from './document.ts';

/*
 * What was entered in the input bar, to be entered again: lines of numbers with their couriers, oldest first. Labels and all
 * that a question asked for, such as postal codes, are no part of it.
 */

interface EnteredNumber {
  readonly trackNo: string;
  readonly courierCode: string | null;
}

const mostLines = 100;
/** More numbers than this at once came from somewhere else, and are not edited in one line. */
const mostNumbers = 10;
/** In UTF-16 units; a longer line is not ours. */
const longestLine = 1_000;

/** The lines with one more, made of the numbers that were entered at once; one that is there already becomes the newest. */
export function withEnteredNumbers(lines: readonly string[], numbers: readonly EnteredNumber[]): readonly string[] {
  if (numbers.length === 0 || numbers.length > mostNumbers) return lines;
  const line = numbers.map(({ courierCode, trackNo }) =>
    courierCode === null ? trackNo : `${trackNo} @${courierCode}`,
  );
  return mergedLines(lines, [line.join(', ')]);
}

/** The lines without some numbers, of any courier; a line that held nothing else is gone. */
export function withoutNumbers(lines: readonly string[], trackNos: readonly string[]): readonly string[] {
  const gone = new Set(trackNos.map(foldNumber));
  const isKept = (entry: string): boolean => !gone.has(foldNumber(entry.split(' @', 1)[0] ?? ''));
  if (gone.size === 0 || lines.every((line) => line.split(', ').every(isKept))) return lines;
  return lines.map((line) => line.split(', ').filter(isKept).join(', ')).filter((line) => line !== '');
}

/** The lines of two, those of `newer` last; what both have stands where `newer` has it. */
export function mergedLines(older: readonly string[], newer: readonly string[]): readonly string[] {
  const isNewer = new Set(newer);
  return [...older.filter((line) => !isNewer.has(line)), ...newer].slice(-mostLines);
}

/** The lines that a kept value holds; what cannot be used counts as not there. */
export function readLines(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((line) => typeof line === 'string')
    .filter((line) => line !== '' && line.length <= longestLine && cleanText(line) === line)
    .slice(-mostLines);
}

/** What cannot be used of a kept value counts as not remembered, field by field. */
const name = v.fallback(v.nullable(v.string()), null);
const flag = v.fallback(v.boolean(), false);
const lineNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const listedSchema = v.picklist(['watched', 'archive']);
const seenSchema = v.object({
  /** The newest line of the change log at that time; 0 before the first. */
  seq: lineNumber,
  /** An instant in milliseconds. */
  at: v.pipe(v.number(), v.finite()),
});

const viewSchema = v.object({
  order: name,
  /** Whether the order runs the other way round. */
  isReversed: flag,
  /** Typed on a board or into the file by hand: it is shown. */
  filter: v.fallback(v.pipe(v.string(), v.transform(cleanText)), ''),
  selectedId: name,
  /** The groups of which only the heading is shown; null for the usual ones. */
  collapsed: v.fallback(
    v.nullable(
      v.pipe(
        v.array(v.unknown()),
        v.transform((names) => names.filter((one) => typeof one === 'string')),
      ),
    ),
    null,
  ),
  listed: v.fallback(listedSchema, 'watched'),
  timeMode: name,
  /** The pane that has the whole window; null for none. */
  zoomedPane: name,
  /** Whether nothing is notified. */
  isSilent: flag,
  /** How far somebody looked at the board; null when nobody has. */
  seen: v.fallback(v.nullable(seenSchema), null),
  /** The newest line of the change log when the news were open last; null when they never were. */
  newsSeq: v.fallback(v.nullable(lineNumber), null),
  /** The numbers that were entered, line by line, oldest first. */
  entered: v.fallback(v.pipe(v.unknown(), v.transform(readLines)), []),
});

export type ListedParcels = Shape<typeof listedSchema>;

export interface Seen extends Shape<typeof seenSchema> {}

/**
 * How a board was looked at last. The names of orders, groups, panes and time modes are the screen's: a name that it does
 * not know counts as none.
 */
export interface KeptView extends Shape<typeof viewSchema> {}

export const firstView: KeptView = v.parse(viewSchema, {});

export interface ViewChanges extends Partial<KeptView> {
  /** Numbers that are to be found nowhere in what was entered any more, on other boards, either. */
  readonly forgotten?: readonly string[];
}

/** What a board remembers of how it was looked at last. Methods reject with a `StoreError`. */
export interface ViewMemory {
  /** What was kept last; nothing remembered where there is none, or where it cannot be read. */
  load(): Promise<KeptView>;
  /** Keeps changes beside what other boards have kept. */
  update(changes: ViewChanges): Promise<void>;
}

/** What the document of a view holds. */
export const readView = (value: unknown): KeptView => v.parse(v.fallback(viewSchema, firstView), value);

/** What concerns the person or the screen, whichever watchlist is looked at. */
const personal = [
  'order',
  'isReversed',
  'timeMode',
  'zoomedPane',
  'isSilent',
] as const satisfies readonly (keyof KeptView)[];

/**
 * Makes a view memory. Of several watchlists each has a document of its own for what concerns it alone: filter, selection,
 * collapsed groups, what was entered, and how far its change log was seen, since each log counts from 1.
 * @param ofList null where all is in the one document
 */
export function createViewMemory(shared: Document<KeptView>, ofList: Document<KeptView> | null = null): ViewMemory {
  // Without it the board looks as it does at first; what is wrong with the folder is reported by what needs it.
  const load = (document: Document<KeptView>): Promise<KeptView> => document.read().catch(() => firstView);
  const update = async (document: Document<KeptView>, { forgotten = [], ...changes }: ViewChanges): Promise<void> => {
    await document.update((view) => {
      // Of what is entered on several boards, none is lost.
      const entered = withoutNumbers(mergedLines(view.entered, changes.entered ?? []), forgotten);
      const changed = { ...view, ...changes, entered };
      return isDeepStrictEqual(changed, view) ? view : changed;
    });
  };
  return {
    async load() {
      const common = await load(shared);
      return ofList === null ? common : { ...(await load(ofList)), ...picked(common, personal) };
    },
    async update(changes) {
      if (ofList === null) return await update(shared, changes);
      const common = picked(changes, personal);
      const own = Object.fromEntries(Object.entries(changes).filter(([name]) => !(name in common)));
      if (Object.keys(common).length > 0) await update(shared, common);
      if (Object.keys(own).length > 0) await update(ofList, own);
    },
  };
}

function picked<Value extends object, Name extends keyof Value>(of: Value, names: readonly Name[]): Pick<Value, Name> {
  return Object.fromEntries(names.filter((name) => name in of).map((name) => [name, of[name]])) as Pick<Value, Name>;
}

/** Nothing is written before this time has passed without a further change, in milliseconds. */
const quietMs = 1_000;

interface ViewKeeperParts {
  readonly memory: Pick<ViewMemory, 'update'>;
  readonly clock: Pick<Clock, 'setTimer'>;
  /** Called once at most: a folder that cannot be written costs the memory and nothing else. */
  readonly onProblem: (error: unknown) => void;
}

/** Writes how a board is looked at a moment after the last change, and at the end. Without a change nothing is written. */
export class ViewKeeper {
  readonly #parts: ViewKeeperParts;
  #unwritten: ViewChanges | null = null;
  #cancel: CancelTimer = () => undefined;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(parts: ViewKeeperParts) {
    this.#parts = parts;
  }

  /** Takes a change, to be written when no other follows at once. */
  keep(changes: ViewChanges): void {
    this.#unwritten = { ...this.#unwritten, ...changes };
    this.#cancel();
    this.#cancel = this.#parts.clock.setTimer(quietMs, () => this.#write());
  }

  /** Writes what is not written yet; resolves when all of it is on disk, or could not be. */
  async close(): Promise<void> {
    this.#cancel();
    this.#write();
    await this.#writing;
  }

  #write(): void {
    const changes = this.#unwritten;
    if (changes === null) return;
    this.#unwritten = null;
    const written = this.#parts.memory.update(changes).catch((error: unknown) => this.#report(error));
    this.#writing = Promise.all([this.#writing, written]).then(() => undefined);
  }

  #report(error: unknown): void {
    if (!this.#hasFailed) this.#parts.onProblem(error);
    this.#hasFailed = true;
  }
}
