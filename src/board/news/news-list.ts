import type { Change } from '../../watchlist/changes/change.ts';
import { type NewsClock, noticedDay } from './news-time.ts';

/** A row of the news. */
export type NewsRow =
  | { readonly kind: 'day'; readonly date: string }
  | { readonly kind: 'change'; readonly change: Change };

/** The news in the order in which they are shown. */
export interface NewsList {
  /** Newest first. */
  readonly changes: readonly Change[];
  /** The same below headings of the days on which they were noticed. */
  readonly rows: readonly NewsRow[];
}

/**
 * Puts the lines of the change log into the order of the news: what was noticed last comes first, so that what is new is at
 * the top, however old it is; of what one check brought, what happened last.
 * @param log oldest first
 */
export function newsList(log: readonly Change[], clock: NewsClock): NewsList {
  const changes: Change[] = [];
  for (let end = log.length; end > 0; ) {
    let start = end - 1;
    while (start > 0 && log[start - 1]?.noticedAt === log[end - 1]?.noticedAt) start -= 1;
    const together = log.slice(start, end).reverse();
    changes.push(...(together.length === 1 ? together : together.sort((a, b) => Date.parse(b.at) - Date.parse(a.at))));
    end = start;
  }
  const rows: NewsRow[] = [];
  let day = '';
  for (const change of changes) {
    const date = noticedDay(change, clock);
    if (date !== day) rows.push({ kind: 'day', date });
    rows.push({ kind: 'change', change });
    day = date;
  }
  return { changes, rows };
}
