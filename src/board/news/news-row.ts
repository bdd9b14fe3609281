import type { EpochMs } from '../../service/clock/clock.ts';
import type { Change } from '../../watchlist/changes/change.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { rowSigns } from '../status/row-signs.ts';
import { type StageLook, stageLooks } from '../status/stage-look.ts';
import { parcelTitle } from '../status/view-stage.ts';
import { cellWidth, fitLine, fitText } from '../text/cells.ts';
import type { Line, Segment } from '../text/line.ts';
import { pastDayName } from '../time/zone-time.ts';
import { type NewsClock, newsTime } from './news-time.ts';

/** What a row of the news depends on. */
export interface NewsRowInput extends NewsClock {
  /** What the parcel is called. */
  readonly title: string;
  readonly selected: boolean;
  /** Came since the user looked last. */
  readonly isSince: boolean;
  /** Cells of the row. */
  readonly width: number;
}

/** The news of a day, of exactly `width` cells. */
export function newsDay(
  date: string,
  { now, width, zone }: Pick<NewsRowInput, 'width' | 'zone'> & { now: EpochMs },
): Line {
  return fitLine([{ text: ` ${pastDayName(date, now, zone)}`, bold: true }], width);
}

/** The rule between what came since the user looked last and what they have seen, of exactly `width` cells. */
export function seenBeforeRule(width: number): Line {
  const words = ' ── seen before ';
  return fitLine([{ text: words + '─'.repeat(Math.max(0, width - cellWidth(words) - 1)), tone: 'quiet' }], width);
}

/**
 * One change, of exactly `width` cells: the mark of the selection, a sign of where the parcel stands now, when it was noticed,
 * name and what changed. The name is bold when the change came since the user looked last. What the user did is dim.
 */
export function newsRow(change: Change, input: NewsRowInput): Line {
  const { isSince, selected, title, width } = input;
  const { symbol, tone } = lookOf(change);
  const isDim = isByUser(change) && !selected;
  const nameWidth = width < 60 ? 12 : width < 90 ? 18 : 26;
  const gap = width < 60 ? ' ' : '  ';
  const dimmed = (segment: Segment): Segment => (isDim ? { text: segment.text, dim: true } : segment);
  return fitLine(
    [
      { text: selected ? rowSigns.selected : ' ', tone: 'accent', bold: true },
      dimmed({ text: `${symbol} `, tone, bold: true }),
      { text: newsTime(change, input), dim: true },
      dimmed({ text: `${gap}${fitText(title, nameWidth)}${gap}`, bold: isSince || selected }),
      dimmed({ text: change.message, bold: selected }),
    ],
    width,
  );
}

const plain: Pick<StageLook, 'symbol' | 'tone'> = { symbol: ' ', tone: 'quiet' };

function lookOf({ change, to }: Change): Pick<StageLook, 'symbol' | 'tone'> {
  switch (change) {
    case 'status':
      return stageLooks[to?.stage ?? 'unknown'];
    case 'rejected':
    case 'archived':
      return stageLooks[change];
    case 'event':
      return { symbol: '∙', tone: 'moving' };
    case 'trouble':
      return { symbol: '✗', tone: 'attention' };
    default:
      return plain;
  }
}

/** Whether it is something that the user did, or what follows from that, and so is no news. */
export const isByUser = ({ change }: Change): boolean =>
  change === 'added' ||
  change === 'removed' ||
  change === 'archived' ||
  change === 'restored' ||
  change === 'registered' ||
  change === 'courier';

/**
 * The title of the news, with how much of them came since the user looked last, in about `room` cells. The word "new" is kept for
 * unread parcels.
 */
export function newsHeading(since: number, room: number): string {
  if (since === 0) return 'News';
  const short = `News · ${since}`;
  const titles = [`${short} since you last looked`, `${short} not seen`];
  return titles.find((title) => cellWidth(title) <= room) ?? short;
}

/** What the parcel of a change is called: as it is now, or as it was when it is not watched any more. */
export function newsTitle({ label, parcelId, trackNo }: Change, parcels: readonly Parcel[]): string {
  const parcel = parcels.find(({ id }) => id === parcelId);
  return parcel === undefined ? (label ?? trackNo) : parcelTitle(parcel);
}
