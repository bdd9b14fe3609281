import { headingAbove, type ListRow } from './list-rows.ts';

/** The visible part of the list. */
export interface ListWindow {
  /** The first is the heading of the group in which the window begins. */
  readonly rows: readonly ListRow[];
  /** Rows above the window, to be handed to the next call. */
  readonly offset: number;
}

/** Rows kept in sight above and below the selection. */
const scrollMargin = 2;

/** In fewer rows than this, a heading that stays would hide too much. */
const stickyFrom = 4;

/**
 * The rows of the list that fit.
 * @param offset rows above the window; see {@link scrolledTo}
 */
export function listWindow(rows: readonly ListRow[], offset: number, height: number): ListWindow {
  const room = roomOf(height);
  const shown = rows.slice(offset, offset + room);
  const kept = hasStickyHeading(rows, room) ? withHeading(rows, offset, shown) : shown;
  return { rows: kept, offset };
}

/**
 * How many rows stand above the window, scrolled no further than the selection needs.
 * @param selectedRow the row that has to be in sight; -1: the list stays where it is
 * @param before rows above the window as the last call answered; 0 at first
 */
export function scrolledTo(rows: readonly ListRow[], selectedRow: number, before: number, height: number): number {
  const room = roomOf(height);
  const covered = hasStickyHeading(rows, room) ? 1 : 0;
  return scrolled(before, selectedRow, { height: room, covered, total: rows.length });
}

const roomOf = (height: number): number => Math.max(0, Math.floor(height));

/** Whether the heading of the group in which the window begins stays in sight. */
const hasStickyHeading = (rows: readonly ListRow[], room: number): boolean =>
  room >= stickyFrom && rows[0]?.kind === 'heading';

/** The window with the heading of its first row's group in the place of that row. */
function withHeading(rows: readonly ListRow[], from: number, shown: readonly ListRow[]): readonly ListRow[] {
  if (shown[0]?.kind !== 'parcel') return shown;
  const heading = rows[headingAbove(rows, from)];
  return heading === undefined ? shown : [heading, ...shown.slice(1)];
}

/** A window over rows. */
export interface Room {
  readonly height: number;
  /** Rows at the top of the window that a heading may cover. */
  readonly covered: number;
  readonly total: number;
}

/** The new offset: the old one, moved only as far as needed to show `index` with a margin; -1 shows no row in particular. */
export function scrolled(offset: number, index: number, { covered, height, total }: Room): number {
  const last = Math.max(0, total - height);
  const margin = Math.max(0, Math.min(scrollMargin, Math.floor((height - covered - 1) / 2)));
  let next = Number.isFinite(offset) ? Math.floor(offset) : 0;
  if (index >= 0) next = Math.min(Math.max(next, index + margin - height + 1), index - margin - covered);
  return Math.min(Math.max(next, 0), last);
}
