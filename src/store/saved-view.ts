import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { cleanText } from '../lib/clean-text.ts';
import type { CancelTimer, Clock } from '../lib/clock.ts';
import { foldNumber } from '../lib/text.ts';
import type { Shape } from '../service/record.ts';
import type { Document } from './store.ts';

/*
 * The history of the input bar: lines with numbers and their couriers, oldest first. Labels and answers to prompts, such
 * as postal codes, are not saved.
 */

interface EnteredNumber {
  readonly trackNo: string;
  readonly courierCode: string | null;
}

const maxLines = 100;
/** Maximum number of tracking numbers per line. Longer lines were pasted or imported, so they are not edited again. */
const maxNumbers = 10;
/** In UTF-16 code units. Our own lines are never longer. */
const maxLineLength = 1_000;

/** Adds a line for numbers that were entered together. A repeated line moves to the end. */
export function withEnteredNumbers(lines: readonly string[], numbers: readonly EnteredNumber[]): readonly string[] {
  if (numbers.length === 0 || numbers.length > maxNumbers) return lines;
  const line = numbers.map(({ courierCode, trackNo }) =>
    courierCode === null ? trackNo : `${trackNo} @${courierCode}`,
  );
  return mergeLines(lines, [line.join(', ')]);
}

/** Removes numbers, for any courier, and the lines that become empty. */
export function withoutNumbers(lines: readonly string[], trackNos: readonly string[]): readonly string[] {
  const removedNumbers = new Set(trackNos.map(foldNumber));
  const isKept = (entry: string): boolean => !removedNumbers.has(foldNumber(entry.split(' @', 1)[0] ?? ''));
  if (removedNumbers.size === 0 || lines.every((line) => line.split(', ').every(isKept))) return lines;
  return lines.map((line) => line.split(', ').filter(isKept).join(', ')).filter((line) => line !== '');
}

/** Merges two histories, with `newer` last. A line that is in both keeps its place in `newer`. */
export function mergeLines(older: readonly string[], newer: readonly string[]): readonly string[] {
  const newerLines = new Set(newer);
  return [...older.filter((line) => !newerLines.has(line)), ...newer].slice(-maxLines);
}

/** Parses saved lines. Leaves out invalid ones. */
export function readLines(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((line) => typeof line === 'string')
    .filter((line) => line !== '' && line.length <= maxLineLength && cleanText(line) === line)
    .slice(-maxLines);
}

// The view is parsed field by field: an invalid field counts as missing.
const name = v.fallback(v.nullable(v.string()), null);
const names = v.pipe(
  v.array(v.unknown()),
  v.transform((values): readonly string[] => values.filter((value) => typeof value === 'string')),
);
const flag = v.fallback(v.boolean(), false);
const lineNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const listedSchema = v.picklist(['watched', 'archive']);
const seenSchema = v.object({
  /** The newest line of the change log at that time, or 0 if there was none. */
  seq: lineNumber,
  /** Milliseconds since 1970. */
  at: v.pipe(v.number(), v.finite()),
});

const viewSchema = v.object({
  order: name,
  isReversed: flag,
  /** Cleaned, because it is shown and the file may have been edited. */
  filter: v.fallback(v.pipe(v.string(), v.transform(cleanText)), ''),
  selectedId: name,
  /** The name of the last chosen view. */
  view: name,
  /** Columns that replace those of a view, by the view's name. */
  columns: v.fallback(v.record(v.string(), v.object({ chosen: names, instead: names })), {}),
  /** The collapsed groups, or null for the default. */
  collapsed: v.fallback(v.nullable(names), null),
  listed: v.fallback(listedSchema, 'watched'),
  timeMode: name,
  /** Whether events are shown in English translation. */
  isInEnglish: flag,
  /** The pane that fills the window, or null. */
  zoomedPane: name,
  isSilent: flag,
  /** How much of the change log the user has seen. Null before the first visit. */
  seen: v.fallback(v.nullable(seenSchema), null),
  /** The newest line of the change log when the news list was last open. Null if it never was. */
  newsSeq: v.fallback(v.nullable(lineNumber), null),
  /** The history of the input bar, oldest line first. */
  entered: v.fallback(v.pipe(v.unknown(), v.transform(readLines)), []),
});

export type ListedParcels = Shape<typeof listedSchema>;

export interface Seen extends Shape<typeof seenSchema> {}

/**
 * A board's last view. The names of orders, groups, panes and time modes are defined by the screen, which ignores names
 * that it does not know.
 */
export interface SavedView extends Shape<typeof viewSchema> {}

export const firstView: SavedView = v.parse(viewSchema, {});

export interface ViewChanges extends Partial<SavedView> {
  /** Numbers to remove from the history of the input bar, including on other boards. */
  readonly forgotten?: readonly string[];
}

export const readView = (value: unknown): SavedView => v.parse(v.fallback(viewSchema, firstView), value);

/** Fields that are the same for all watchlists. */
const sharedFields = [
  'order',
  'isReversed',
  'columns',
  'timeMode',
  'isInEnglish',
  'zoomedPane',
  'isSilent',
] as const satisfies readonly (keyof SavedView)[];

/** A board's saved view. Methods reject with a `StoreError`. */
export type ViewMemory = ReturnType<typeof createViewMemory>;

/**
 * Creates a view memory. With several watchlists, each has its own document for the filter, the selection, the collapsed
 * groups, the input history, and the last seen line of its change log, because each log counts from 1.
 * @param listDocument the watchlist's own document; null if everything is in `shared`
 */
export function createViewMemory(shared: Document<SavedView>, listDocument: Document<SavedView> | null = null) {
  // If the view cannot be read, the board starts with the default one. Code that needs the folder reports the error.
  const load = (document: Document<SavedView>): Promise<SavedView> => document.read().catch(() => firstView);
  const update = async (document: Document<SavedView>, { forgotten = [], ...changes }: ViewChanges): Promise<void> => {
    await document.update((view) => {
      // Keep the lines that other boards have added.
      const entered = withoutNumbers(mergeLines(view.entered, changes.entered ?? []), forgotten);
      const changedView = { ...view, ...changes, entered };
      return isDeepStrictEqual(changedView, view) ? view : changedView;
    });
  };
  return {
    /** Returns the saved view, or the default one if there isn't one or it cannot be read. */
    async load(): Promise<SavedView> {
      const sharedView = await load(shared);
      return listDocument === null ? sharedView : { ...(await load(listDocument)), ...pick(sharedView, sharedFields) };
    },
    /** Saves changes. Keeps the fields that other boards have changed. */
    async update(changes: ViewChanges): Promise<void> {
      if (listDocument === null) return await update(shared, changes);
      const sharedChanges = pick(changes, sharedFields);
      const listChanges = Object.fromEntries(Object.entries(changes).filter(([name]) => !(name in sharedChanges)));
      if (Object.keys(sharedChanges).length > 0) await update(shared, sharedChanges);
      if (Object.keys(listChanges).length > 0) await update(listDocument, listChanges);
    },
  };
}

function pick<Value extends object, Name extends keyof Value>(value: Value, names: readonly Name[]): Pick<Value, Name> {
  return Object.fromEntries(names.filter((name) => name in value).map((name) => [name, value[name]])) as Pick<
    Value,
    Name
  >;
}

/** How long to wait for further changes before writing. */
const quietMs = 1_000;

interface ViewKeeperParts {
  readonly memory: Pick<ViewMemory, 'update'>;
  readonly clock: Pick<Clock, 'setTimer'>;
  /** Called at most once: if we cannot write, only the saved view is lost. */
  readonly onProblem: (error: unknown) => void;
}

/** Saves the view shortly after the last change, and on close. Writes nothing if nothing has changed. */
export class ViewKeeper {
  readonly #parts: ViewKeeperParts;
  #unwritten: ViewChanges | null = null;
  #cancel: CancelTimer = () => undefined;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(parts: ViewKeeperParts) {
    this.#parts = parts;
  }

  /** Saves changes after a short delay, together with those that follow. */
  keep(changes: ViewChanges): void {
    this.#unwritten = { ...this.#unwritten, ...changes };
    this.#cancel();
    this.#cancel = this.#parts.clock.setTimer(quietMs, () => this.#write());
  }

  /** Writes pending changes. Resolves when they are on disk, or when this has failed. */
  async close(): Promise<void> {
    this.#cancel();
    this.#write();
    await this.#writing;
  }

  #write(): void {
    const changes = this.#unwritten;
    if (changes === null) return;
    this.#unwritten = null;
    const write = this.#parts.memory.update(changes).catch((error: unknown) => {
      if (!this.#hasFailed) this.#parts.onProblem(error);
      this.#hasFailed = true;
    });
    this.#writing = Promise.all([this.#writing, write]).then(() => undefined);
  }
}
