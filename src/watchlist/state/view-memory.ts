import * as v from 'valibot';
import type { Shape } from '../../service/record/shape.ts';
import { cleanText } from '../../service/text/clean-text.ts';
import { replaceableFormat } from '../document/document-format.ts';
import { JsonDocument } from '../document/json-document.ts';
import type { LockContext } from '../lock/folder-lock.ts';
import { sameJson } from '../model/same-json.ts';
import { mergedLines, readLines, withoutNumbers } from './entered-lines.ts';

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
  /** Typed on a board or by whoever edits the file: it is shown. */
  filter: v.fallback(v.pipe(v.string(), v.transform(cleanText)), ''),
  /** Id of the parcel that was selected. */
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

/** Which parcels a board lists. */
export type ListedParcels = Shape<typeof listedSchema>;

/** How far the board was looked at. */
export interface Seen extends Shape<typeof seenSchema> {}

/**
 * How a board was looked at last. The names of orders, groups, panes and time modes are the screen's: a name that it does
 * not know counts as none.
 */
export interface KeptView extends Shape<typeof viewSchema> {}

/** A board that is opened for the first time. */
export const firstView: KeptView = v.parse(viewSchema, {});

/** What has changed of how a board is looked at. */
export interface ViewChanges extends Partial<KeptView> {
  /** Numbers that are to be found nowhere in what was entered any more, on other boards, either. */
  readonly forgotten?: readonly string[];
}

/** Port to what a board remembers of how it was looked at last. Methods reject with a `StoreError`. */
export interface ViewMemory {
  /** What was kept last; nothing remembered where there is none, or where it cannot be read. */
  load(): Promise<KeptView>;
  /** Keeps changes beside what other boards have kept meanwhile. */
  update(changes: ViewChanges): Promise<void>;
}

/** Remembers in a file (`view.json`, mode 0600). A damaged file counts as none; of several boards, the last one counts. */
export function createFileViewMemory(path: string, context: LockContext): ViewMemory {
  const readView = (value: unknown): KeptView => v.parse(v.fallback(viewSchema, firstView), value);
  const document = new JsonDocument(path, { format: replaceableFormat(readView) }, context);
  return {
    // Without it the board looks as it does at first; what is wrong with the folder is reported by what needs it.
    load: () => document.read().catch(() => firstView),
    async update({ forgotten = [], ...changes }) {
      await document.update((view) => {
        // Of what is entered on several boards, none is lost.
        const entered = withoutNumbers(mergedLines(view.entered, changes.entered ?? []), forgotten);
        const changed = { ...view, ...changes, entered };
        return sameJson(changed, view) ? view : changed;
      });
    },
  };
}

/** What concerns the person or the screen, whichever watchlist is looked at. */
const personal = [
  'order',
  'isReversed',
  'timeMode',
  'zoomedPane',
  'isSilent',
] as const satisfies readonly (keyof KeptView)[];

/**
 * Remembers of one of several watchlists what concerns it alone: filter, selection, collapsed groups, what was entered, and how
 * far its change log was seen, since each log counts from 1. The rest is remembered for all of them together.
 */
export function createListViewMemory(shared: ViewMemory, ofList: ViewMemory): ViewMemory {
  return {
    async load() {
      const [common, own] = await Promise.all([shared.load(), ofList.load()]);
      return { ...own, ...picked(common, personal) };
    },
    async update(changes) {
      const common = picked(changes, personal);
      const own = Object.fromEntries(Object.entries(changes).filter(([name]) => !(name in common)));
      if (Object.keys(common).length > 0) await shared.update(common);
      if (Object.keys(own).length > 0) await ofList.update(own);
    },
  };
}

function picked<Value extends object, Name extends keyof Value>(of: Value, names: readonly Name[]): Pick<Value, Name> {
  return Object.fromEntries(names.filter((name) => name in of).map((name) => [name, of[name]])) as Pick<Value, Name>;
}
