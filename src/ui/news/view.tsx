import { isByUser, newsDay, newsRow } from '../../board/news/news-row.ts';
import { newsTitle } from '../../board/news/news-title.ts';
import type { Line } from '../../board/text/line.ts';
import { timeModeTitle } from '../../board/time/checkpoint-time.ts';
import type { Change } from '../../watchlist/changes/change.ts';
import type { Board } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import { innerSize } from '../pane/frame.ts';
import { Lines, Pane } from '../pane/pane.tsx';
import type { NewsState } from './state.ts';

/** What has happened, newest first. Only what is in sight is drawn. */
export function NewsPane({ board, size }: { readonly board: Board; readonly size: PaneSize }) {
  const { news, ui, zone } = board;
  const { first, last } = news.window;
  const fresh = news.changes.filter((change) => isNew(change, ui)).length;
  const texts = {
    title: fresh === 0 ? 'News' : `News · ${fresh} new`,
    titleRight: timeModeTitle(ui.timeMode === 'utc' ? 'utc' : 'local', zone),
    status: `${first}–${last} of ${news.changes.length}${news.isLoading ? ', loading…' : ''}`,
  };
  return (
    <Pane texts={texts} size={size} isFocused>
      <Lines lines={newsLines(board, innerSize(size).width)} />
    </Pane>
  );
}

/** Whether a change came since the news were open last, and not by the user. */
const isNew = (change: Change, { newsAfter }: NewsState): boolean => change.seq > newsAfter && !isByUser(change);

function newsLines({ news, now, state, ui, zone }: Board, width: number): readonly Line[] {
  if (news.problem !== null) return [[{ text: ` ${news.problem}`, tone: 'attention' }]];
  if (news.changes.length === 0) {
    return [[{ text: news.isLoading ? ' Loading the changes…' : ' Nothing has happened yet.', tone: 'quiet' }]];
  }
  return news.window.rows.map((row) =>
    row.kind === 'day'
      ? newsDay(row.date, { now, width, zone })
      : newsRow(row.change, {
          mode: ui.timeMode,
          zone,
          width,
          title: newsTitle(row.change, state.parcels),
          selected: row.change.seq === news.selectedSeq,
          isNew: isNew(row.change, ui),
        }),
  );
}
