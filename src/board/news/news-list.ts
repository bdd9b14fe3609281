import type { Change } from '../../watchlist/changes/change.ts';
import { isByUser } from './news-row.ts';
import { type NewsClock, noticedDay } from './news-time.ts';

/** A row of the news. */
export type NewsRow =
  | { readonly kind: 'day'; readonly date: string }
  /** Between what came since the user looked last and what they have seen. */
  | { readonly kind: 'seen-before' }
  | { readonly kind: 'change'; readonly change: Change };

/** The news in the order in which they are shown. */
export interface NewsList {
  /** Newest first. */
  readonly changes: readonly Change[];
  /** How many of them came since the user looked last, other than by themselves. */
  readonly since: number;
  /** The same below headings of the days on which they were noticed. */
  readonly rows: readonly NewsRow[];
}

/** Whether a change came behind the line of the log that the user saw last, and not by the user. */
export const isSince = (change: Change, seenSeq: number): boolean => change.seq > seenSeq && !isByUser(change);

/**
 * Puts the lines of the change log into the order of the news: what was noticed last comes first, so that what is new is at
 * the top, however old it is; of what one check brought, what happened last.
 * @param log oldest first
 * @param seenSeq the newest line that the user has seen
 */
export function newsList(log: readonly Change[], clock: NewsClock, seenSeq: number): NewsList {
  const changes: Change[] = [];
  for (let end = log.length; end > 0; ) {
    let start = end - 1;
    while (start > 0 && log[start - 1]?.noticedAt === log[end - 1]?.noticedAt) start -= 1;
    const together = log.slice(start, end).reverse();
    changes.push(...(together.length === 1 ? together : together.sort((a, b) => Date.parse(b.at) - Date.parse(a.at))));
    end = start;
  }
  const since = changes.filter((change) => isSince(change, seenSeq)).length;
  const seenFrom = since === 0 ? -1 : changes.findLastIndex(({ seq }) => seq > seenSeq) + 1;
  const rows: NewsRow[] = [];
  let day = '';
  for (const [index, change] of changes.entries()) {
    if (index === seenFrom) rows.push({ kind: 'seen-before' });
    const date = noticedDay(change, clock);
    if (date !== day) rows.push({ kind: 'day', date });
    rows.push({ kind: 'change', change });
    day = date;
  }
  return { changes, since, rows };
}
