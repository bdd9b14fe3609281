import { isSince } from '../../board/news/news-list.ts';
import { newsDay, newsHeading, newsRow, newsTitle, seenBeforeRule } from '../../board/news/news-row.ts';
import { cellWidth } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';
import type { TimeMode } from '../../board/time/checkpoint-time.ts';
import { timeModeTitle } from '../../board/time/checkpoint-time.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { PaneSize } from '../layout.ts';
import { innerSize } from '../pane/frame.ts';
import { Pane } from '../pane/pane.tsx';
import type { News } from './use-news.ts';

/** Cells of the upper edge that are not for words: the corners, and spaces and lines beside its two texts. */
const edgeSigns = 7;

/** What the news show. */
export interface NewsProps {
  readonly news: News;
  /** Number of the newest line that the user had seen when the news were opened. */
  readonly after: number;
  readonly timeMode: TimeMode;
  readonly now: EpochMs;
  /** The viewer's. */
  readonly zone: Zone;
  /** All of them, for their titles. */
  readonly parcels: readonly Parcel[];
  readonly size: PaneSize;
}

/** What has happened, newest first. */
export function NewsPane(props: NewsProps) {
  const { news, size, timeMode, zone } = props;
  const { first, last } = news.window;
  const titleRight = timeModeTitle(timeMode === 'utc' ? 'utc' : 'local', zone);
  const texts = {
    title: newsHeading(news.since, size.width - edgeSigns - cellWidth(titleRight)),
    titleRight,
    ...(news.changes.length === 0
      ? {}
      : { status: `${first}–${last} of ${news.changes.length}${news.isLoading ? ', loading…' : ''}` }),
  };
  return <Pane texts={texts} size={size} isFocused lines={newsLines(props, innerSize(size).width)} />;
}

function newsLines({ after, news, now, parcels, timeMode, zone }: NewsProps, width: number): readonly Line[] {
  if (news.problem !== null) return [[{ text: ` ${news.problem}`, tone: 'attention' }]];
  if (news.changes.length === 0) {
    return [[{ text: news.isLoading ? ' Loading the changes…' : ' Nothing has happened yet.', tone: 'quiet' }]];
  }
  return news.window.rows.map((row) => {
    if (row.kind === 'day') return newsDay(row.date, { now, width, zone });
    if (row.kind === 'seen-before') return seenBeforeRule(width);
    return newsRow(row.change, {
      mode: timeMode,
      zone,
      width,
      title: newsTitle(row.change, parcels),
      selected: row.change.seq === news.selectedSeq,
      isSince: isSince(row.change, after),
    });
  });
}
