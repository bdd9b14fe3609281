import { isSince } from '../../board/news/news-list.ts';
import { newsDay, newsHeading, newsRow, newsTitle, seenBeforeRule } from '../../board/news/news-row.ts';
import { cellWidth } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';
import { timeModeTitle } from '../../board/time/checkpoint-time.ts';
import type { Board } from '../app/board.ts';
import type { PaneSize } from '../layout.ts';
import { innerSize, type PaneContent } from '../pane/frame.ts';

/** Cells of the upper edge that are not for words: the corners, and spaces and lines beside its two texts. */
const edgeSigns = 7;

/** What has happened, newest first. */
export function newsPane(board: Board, size: PaneSize): PaneContent {
  const { news, ui, zone } = board;
  const { first, last } = news.window;
  const titleRight = timeModeTitle(ui.timeMode === 'utc' ? 'utc' : 'local', zone);
  const texts = {
    title: newsHeading(news.since, size.width - edgeSigns - cellWidth(titleRight)),
    titleRight,
    ...(news.changes.length === 0
      ? {}
      : { status: `${first}–${last} of ${news.changes.length}${news.isLoading ? ', loading…' : ''}` }),
  };
  return { texts, size, isFocused: true, lines: newsLines(board, innerSize(size).width) };
}

function newsLines({ news, now, state, ui, zone }: Board, width: number): readonly Line[] {
  if (news.problem !== null) return [[{ text: ` ${news.problem}`, tone: 'attention' }]];
  if (news.changes.length === 0) {
    return [[{ text: news.isLoading ? ' Loading the changes…' : ' Nothing has happened yet.', tone: 'quiet' }]];
  }
  return news.window.rows.map((row) => {
    if (row.kind === 'day') return newsDay(row.date, { now, width, zone });
    if (row.kind === 'seen-before') return seenBeforeRule(width);
    return newsRow(row.change, {
      mode: ui.timeMode,
      zone,
      width,
      title: newsTitle(row.change, state.parcels),
      selected: row.change.seq === news.selectedSeq,
      isSince: isSince(row.change, ui.newsAfter),
    });
  });
}
