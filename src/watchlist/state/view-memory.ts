import type { EpochMs } from '../../service/clock/clock.ts';
import { cleanText } from '../../service/text/clean-text.ts';
import { isJsonObject } from '../../service/text/json.ts';
import { replaceableFormat } from '../document/document-format.ts';
import { JsonDocument } from '../document/json-document.ts';
import type { LockContext } from '../lock/folder-lock.ts';
import { sameJson } from '../model/same-json.ts';
import { mergedLines, readLines, withoutNumbers } from './entered-lines.ts';

/** Which parcels a board lists. */
export type ListedParcels = 'watched' | 'archive';

/**
 * How a board was looked at last. The names of orders, groups, panes and time modes are the screen's: a name that it does
 * not know counts as none.
 */
export interface KeptView {
  readonly order: string | null;
  /** Whether the order runs the other way round. */
  readonly isReversed: boolean;
  readonly filter: string;
  /** Id of the parcel that was selected. */
  readonly selectedId: string | null;
  /** The groups of which only the heading is shown; null for the usual ones. */
  readonly collapsed: readonly string[] | null;
  readonly listed: ListedParcels;
  readonly timeMode: string | null;
  /** The pane that has the whole window; null for none. */
  readonly zoomedPane: string | null;
  /** Whether nothing is notified. */
  readonly isSilent: boolean;
  /** How far somebody looked at the board; null when nobody has. */
  readonly seen: Seen | null;
  /** The newest line of the change log when the news were open last; null when they never were. */
  readonly newsSeq: number | null;
  /** The numbers that were entered, line by line, oldest first. */
  readonly entered: readonly string[];
}

/** How far the board was looked at. */
export interface Seen {
  /** The newest line of the change log at that time; 0 before the first. */
  readonly seq: number;
  readonly at: EpochMs;
}

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

/** A board that is opened for the first time. */
export const firstView: KeptView = {
  order: null,
  isReversed: false,
  filter: '',
  selectedId: null,
  collapsed: null,
  listed: 'watched',
  timeMode: null,
  zoomedPane: null,
  isSilent: false,
  seen: null,
  newsSeq: null,
  entered: [],
};

/** Remembers in a file (`view.json`, mode 0600). A damaged file counts as none; of several boards, the last one counts. */
export function createFileViewMemory(path: string, context: LockContext): ViewMemory {
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

/** What a kept value holds; whatever of it cannot be used counts as not remembered. */
function readView(value: unknown): KeptView {
  const kept = isJsonObject(value) ? value : {};
  const filter = textOf(kept['filter']);
  const collapsed = kept['collapsed'];
  return {
    order: textOf(kept['order']),
    isReversed: kept['isReversed'] === true,
    // Typed here or by whoever edits the file: it is shown.
    filter: filter === null ? '' : cleanText(filter),
    selectedId: textOf(kept['selectedId']),
    collapsed: Array.isArray(collapsed) ? collapsed.filter((name) => typeof name === 'string') : null,
    listed: kept['listed'] === 'archive' ? 'archive' : 'watched',
    timeMode: textOf(kept['timeMode']),
    zoomedPane: textOf(kept['zoomedPane']),
    isSilent: kept['isSilent'] === true,
    seen: seenOf(kept['seen']),
    newsSeq: seqOf(kept['newsSeq']),
    entered: readLines(kept['entered']),
  };
}

function seenOf(value: unknown): Seen | null {
  const seen = isJsonObject(value) ? value : {};
  const [seq, at] = [seqOf(seen['seq']), seen['at']];
  return seq === null || typeof at !== 'number' || !Number.isFinite(at) ? null : { seq, at };
}

const seqOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
