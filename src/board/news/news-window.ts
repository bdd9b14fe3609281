import { scrolled } from '../list/list-window.ts';
import type { NewsList, NewsRow } from './news-list.ts';

/** The visible part of the news. */
export interface NewsWindow {
  /** The first is the heading of the day in which the window begins. */
  readonly rows: readonly NewsRow[];
  /** Rows above the window, to be handed to the next call. */
  readonly offset: number;
  /** Which of the changes are in sight, counted from 1; 0 when there are none. */
  readonly first: number;
  readonly last: number;
}

/**
 * The rows of the news that fit, scrolled no further than the selection needs.
 * @param selectedSeq the selected line of the change log
 * @param offset rows above the window as the last call answered; 0 at first
 */
export function newsWindow({ rows }: NewsList, selectedSeq: number | null, offset: number, height: number): NewsWindow {
  const room = Math.max(0, Math.floor(height));
  const selectedAt = rows.findIndex((row) => row.kind === 'change' && row.change.seq === selectedSeq);
  // The heading of a day stays in sight.
  const from = scrolled(offset, selectedAt, { height: room, covered: room < 2 ? 0 : 1, total: rows.length });
  const shown = withHeading(rows, from, rows.slice(from, from + room));
  const isChange = ({ kind }: NewsRow): boolean => kind === 'change';
  const firstShown = shown.find(isChange);
  if (firstShown === undefined) return { rows: shown, offset: from, first: 0, last: 0 };
  const before = rows.slice(0, rows.indexOf(firstShown)).filter(isChange).length;
  return { rows: shown, offset: from, first: before + 1, last: before + shown.filter(isChange).length };
}

/** The window with the heading of its first row's day in the place of that row. */
function withHeading(rows: readonly NewsRow[], from: number, shown: readonly NewsRow[]): readonly NewsRow[] {
  const heading = rows.slice(0, from + 1).findLast(({ kind }) => kind === 'day');
  return heading === undefined || shown.length < 2 ? shown : [heading, ...shown.slice(1)];
}
