import type { EpochMs } from '../../service/clock/clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { AskingRest } from '../header/pause-reason.ts';
import { awaitedDelivery } from '../status/awaited-delivery.ts';
import type { GlyphSet, Line } from '../text/line.ts';
import type { ParcelGroup } from './arrange.ts';
import { groupHeading, listRow } from './list-row.ts';

/** What the visible part of the list depends on. */
export interface ListInput {
  readonly groups: readonly ParcelGroup[];
  /** Id of the selected parcel; the list scrolls so that it is visible. Null or unknown: the list stays where it is. */
  readonly selectedId: string | null;
  /** Lines that there is room for. */
  readonly height: number;
  /** Cells of a line. */
  readonly width: number;
  /** Lines above the window as the last call answered; 0 at first. */
  readonly offset: number;
  readonly now: EpochMs;
  readonly zone: string;
  readonly glyphs: GlyphSet;
  /** Ids of the parcels of the call under way. */
  readonly asking: ReadonlySet<string>;
  /** Why nothing is asked by itself; nothing stands in the way when left out. */
  readonly rest?: AskingRest | null;
}

/** A visible line of the list. */
export interface ListLine {
  readonly line: Line;
  /** The parcel that the line stands for; null for a heading. */
  readonly parcelId: string | null;
  readonly selected: boolean;
}

/** The visible part of the list. */
export interface ListView {
  /** At most `height`. */
  readonly lines: readonly ListLine[];
  /** Lines above the window, to be handed to the next call. */
  readonly offset: number;
  /** Lines of the whole list, headings included. */
  readonly total: number;
}

/** Lines kept in sight above and below the selection. */
const scrollMargin = 2;

type Entry =
  | { readonly kind: 'heading'; readonly group: ParcelGroup }
  | { readonly kind: 'parcel'; readonly parcel: Parcel };

/** The lines of the list that fitText, scrolled no further than the selection asks for. Only these lines are made. */
export function listLines(input: ListInput): ListView {
  const entries = input.groups.flatMap((group): Entry[] => [
    { kind: 'heading', group },
    ...group.parcels.map((parcel): Entry => ({ kind: 'parcel', parcel })),
  ]);
  const withExpected = input.groups.some(({ parcels }) => parcels.some((parcel) => awaitedDelivery(parcel) !== null));
  const height = Math.max(0, Math.floor(input.height));
  const selectedAt = entries.findIndex((entry) => entry.kind === 'parcel' && entry.parcel.id === input.selectedId);
  const offset = scrolled(input.offset, selectedAt, height, entries.length);
  const lines = entries.slice(offset, offset + height).map((entry) => drawEntry(entry, input, withExpected));
  return { lines, offset, total: entries.length };
}

/** The new offset: the old one, moved only as far as needed to show `index` with a margin. */
function scrolled(offset: number, index: number, height: number, total: number): number {
  const last = Math.max(0, total - height);
  const margin = Math.max(0, Math.min(scrollMargin, Math.floor((height - 1) / 2)));
  let next = Number.isFinite(offset) ? Math.floor(offset) : 0;
  if (index >= 0) next = Math.min(Math.max(next, index + margin - height + 1), index - margin);
  return Math.min(Math.max(next, 0), last);
}

function drawEntry(entry: Entry, input: ListInput, withExpected: boolean): ListLine {
  if (entry.kind === 'heading') {
    const { title, parcels } = entry.group;
    return { line: groupHeading(title, parcels.length, input.width, input.glyphs), parcelId: null, selected: false };
  }
  const { parcel } = entry;
  const selected = parcel.id === input.selectedId;
  const { now, width, glyphs, zone } = input;
  const line = listRow(parcel, {
    now,
    width,
    glyphs,
    zone,
    asking: input.asking.has(parcel.id),
    rest: input.rest ?? null,
    selected,
    withExpected,
  });
  return { line, parcelId: parcel.id, selected };
}
