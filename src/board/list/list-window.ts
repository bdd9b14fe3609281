import type { Arrangement, ListRow } from './arrange.ts';

/** The visible part of the list. */
export interface ListWindow {
  readonly rows: readonly ListRow[];
  /** Rows above the window, to be handed to the next call. */
  readonly offset: number;
  /** Rows of the whole list, headings included. */
  readonly total: number;
}

/** Rows kept in sight above and below the selection. */
const scrollMargin = 2;

/**
 * The rows of the list that fit, scrolled no further than the selection needs.
 * @param selectedId id of the parcel that has to be in sight; null or unknown: the list stays where it is
 * @param offset rows above the window as the last call answered; 0 at first
 */
export function listWindow(
  { rows }: Pick<Arrangement, 'rows'>,
  selectedId: string | null,
  offset: number,
  height: number,
): ListWindow {
  const room = Math.max(0, Math.floor(height));
  const selectedAt = rows.findIndex((row) => row.kind === 'parcel' && row.parcel.id === selectedId);
  const from = scrolled(offset, selectedAt, room, rows.length);
  return { rows: rows.slice(from, from + room), offset: from, total: rows.length };
}

/** The new offset: the old one, moved only as far as needed to show `index` with a margin. */
function scrolled(offset: number, index: number, height: number, total: number): number {
  const last = Math.max(0, total - height);
  const margin = Math.max(0, Math.min(scrollMargin, Math.floor((height - 1) / 2)));
  let next = Number.isFinite(offset) ? Math.floor(offset) : 0;
  if (index >= 0) next = Math.min(Math.max(next, index + margin - height + 1), index - margin);
  return Math.min(Math.max(next, 0), last);
}
