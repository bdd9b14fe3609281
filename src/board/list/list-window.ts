import { type ListRow, type ListRows, rowKey } from './list-rows.ts';

/** The visible part of the list. */
export interface ListWindow {
  /** The first is the heading of the group in which the window begins. */
  readonly rows: readonly ListRow[];
  /** Rows above the window, to be handed to the next call. */
  readonly offset: number;
  /** Rows of the whole list, headings included. */
  readonly total: number;
}

/** Rows kept in sight above and below the selection. */
const scrollMargin = 2;

/** In fewer rows than this, a heading that stays would hide too much. */
const stickyFrom = 4;

/**
 * The rows of the list that fit, scrolled no further than the selection needs.
 * @param selectedKey key of the row that has to be in sight; null or unknown: the list stays where it is
 * @param offset rows above the window as the last call answered; 0 at first
 */
export function listWindow(
  { rows }: Pick<ListRows, 'rows'>,
  selectedKey: string | null,
  offset: number,
  height: number,
): ListWindow {
  const room = Math.max(0, Math.floor(height));
  const isSticky = room >= stickyFrom && rows[0]?.kind === 'heading';
  const selectedAt = rows.findIndex((row) => rowKey(row) === selectedKey);
  const from = scrolled(offset, selectedAt, { height: room, covered: isSticky ? 1 : 0, total: rows.length });
  const shown = rows.slice(from, from + room);
  return { rows: isSticky ? withHeading(rows, from, shown) : shown, offset: from, total: rows.length };
}

/** The window with the heading of its first row's group in the place of that row. */
function withHeading(rows: readonly ListRow[], from: number, shown: readonly ListRow[]): readonly ListRow[] {
  const heading =
    shown[0]?.kind === 'parcel' ? rows.slice(0, from).findLast(({ kind }) => kind === 'heading') : undefined;
  return heading === undefined ? shown : [heading, ...shown.slice(1)];
}

interface Room {
  readonly height: number;
  /** Rows at the top of the window that a heading may cover. */
  readonly covered: number;
  readonly total: number;
}

/** The new offset: the old one, moved only as far as needed to show `index` with a margin. */
function scrolled(offset: number, index: number, { covered, height, total }: Room): number {
  const last = Math.max(0, total - height);
  const margin = Math.max(0, Math.min(scrollMargin, Math.floor((height - covered - 1) / 2)));
  let next = Number.isFinite(offset) ? Math.floor(offset) : 0;
  if (index >= 0) next = Math.min(Math.max(next, index + margin - height + 1), index - margin - covered);
  return Math.min(Math.max(next, 0), last);
}
