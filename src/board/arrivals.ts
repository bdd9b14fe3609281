import { cellWidth, fitText } from '../lib/cells.ts';
import { dayMs } from '../lib/clock.ts';
import type { Line } from '../lib/paint.ts';
import { counted } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { courierName, parcelTitle } from './parcel-facts.ts';
import { type DueDays, expectedDay, findDueDays } from './status/expected-delivery.ts';
import { statusNow, type Viewing } from './status/status-now.ts';
import { dayText, weekdayText } from './time.ts';

/** The parcels that may arrive on a day. A parcel with several possible days is included in each of them. */
interface ArrivalDay {
  /** `Late`, `Today`, `Mon 23 Nov`, `Later`. */
  readonly title: string;
  /** A filter that selects the same parcels. */
  readonly filter: string;
  readonly promised: readonly Parcel[];
  readonly forecast: readonly Parcel[];
}

export interface Arrivals {
  readonly days: readonly ArrivalDay[];
  /** Number of parcels with a promised or forecast day. */
  readonly dated: number;
}

/**
 * Groups parcels under "Late", each of the next seven days, and "Later". Uses the forecast if the courier promised no
 * day.
 */
export function groupArrivals(parcels: readonly Parcel[], viewing: Viewing): Arrivals {
  const datedParcels = parcels.flatMap((parcel) => {
    const due = findDueDays(parcel, viewing);
    return due === null ? [] : [{ parcel, due }];
  });
  const day = (title: string, filter: string, passes: (due: DueDays) => boolean): ArrivalDay => {
    const members = datedParcels.filter(({ due }) => passes(due));
    const pick = (isForecast: boolean): readonly Parcel[] =>
      members.flatMap(({ due, parcel }) => (due.isForecast === isForecast ? [parcel] : []));
    return { title, filter, promised: pick(false), forecast: pick(true) };
  };
  const today = viewing.zone.wallTime(viewing.now);
  const nextDays = Array.from({ length: 7 }, (_, ahead) => {
    const wall = today + ahead * dayMs;
    const title = ahead === 0 ? 'Today' : `${weekdayText(wall)} ${dayText(wall)}`;
    const name = ahead === 0 ? 'today' : weekdayText(wall).toLowerCase();
    return day(title, `due:${name}`, ({ first, last }) => first <= ahead && last >= ahead);
  });
  return {
    days: [
      day('Late', 'is:late', ({ isLate }) => isLate),
      ...nextDays,
      day('Later', 'due:later', ({ last }) => last > 6),
    ],
    dated: datedParcels.length,
  };
}

interface ArrivalsView extends Viewing {
  readonly chosen: number;
  readonly width: number;
  readonly height: number;
}

/** Column widths, in cells. */
const [markWidth, titleWidth, countWidth, likelyWidth] = [2, 11, 4, 11];
/** In narrower panes, bars are half as long. */
const minLongBarWidth = 60;
const minNameCells = 8;

/** Returns a row for each day with the number and names of its parcels, followed by the parcels of the chosen day. */
export function arrivalLines({ days }: Arrivals, view: ArrivalsView): readonly Line[] {
  const { chosen, height, width } = view;
  const barWidth = width < minLongBarWidth ? 6 : 12;
  const nameWidth = width - markWidth - titleWidth - barWidth - countWidth - likelyWidth - 2;
  const max = Math.max(1, ...days.map(({ forecast, promised }) => promised.length + forecast.length));
  const cells = (count: number): number => (count === 0 ? 0 : Math.max(1, Math.round((count / max) * barWidth)));
  const rows = days.map(({ forecast, promised, title }, index): Line => {
    const isChosen = index === chosen;
    const isLate = index === 0 && promised.length > 0;
    const bar = '━'.repeat(cells(promised.length));
    const likely = '─'.repeat(Math.min(barWidth - bar.length, cells(forecast.length)));
    const tone = isLate ? ({ tone: 'attention' } as const) : index === 1 ? ({ tone: 'today' } as const) : {};
    return [
      { text: isChosen ? '▌ ' : '  ', tone: 'accent', bold: true },
      { text: fitText(title, titleWidth), bold: isChosen, ...tone },
      { text: bar, ...tone },
      { text: likely.padEnd(barWidth - bar.length), dim: true },
      { text: String(promised.length || '').padStart(countWidth), bold: isChosen },
      { text: fitText(forecast.length === 0 ? '' : ` +${forecast.length} likely`, likelyWidth), dim: true },
      { text: nameWidth < minNameCells ? '' : `  ${joinTitles([...promised, ...forecast], nameWidth)}` },
    ];
  });
  const day = days[chosen];
  const room = height - rows.length - 1;
  if (day === undefined || room < 1) return rows;
  const members = [...day.promised, ...day.forecast];
  const memberLines = members
    .slice(0, members.length > room ? room - 1 : room)
    .map((parcel) => parcelLine(parcel, view));
  const hiddenCount = members.length - memberLines.length;
  const moreLines: readonly Line[] =
    hiddenCount === 0 ? [] : [[{ text: `  and ${counted(hiddenCount, 'more parcel')}`, dim: true }]];
  return [...rows, [], ...memberLines, ...moreLines];
}

/** Joins as many titles as fit, followed by the number of parcels left out, such as `Shoes, Lamp +3`. */
function joinTitles(parcels: readonly Parcel[], width: number): string {
  let text = '';
  for (const [index, parcel] of parcels.entries()) {
    const next = `${text}${index === 0 ? '' : ', '}${parcelTitle(parcel)}`;
    const hiddenCount = parcels.length - index - 1;
    if (cellWidth(next) + (hiddenCount > 0 ? ` +${hiddenCount}`.length : 0) > width)
      return index === 0 ? fitText(next, Math.max(0, width)).trimEnd() : `${text} +${parcels.length - index}`;
    text = next;
  }
  return text;
}

function parcelLine(parcel: Parcel, view: ArrivalsView): Line {
  const expected = expectedDay(parcel, view);
  const nameWidth = Math.max(10, Math.floor(view.width / 3));
  return [
    { text: `  ${fitText(parcelTitle(parcel), nameWidth - 2)} ` },
    { text: `${fitText(courierName(parcel) ?? '', 14)} `, dim: true },
    {
      text: fitText(expected?.full ?? '', 30),
      dim: expected?.isForecast === true,
      ...(expected?.tone === 'attention' ? { tone: 'attention' } : {}),
    },
    { text: ` ${statusNow(parcel, view)}`, dim: true },
  ];
}
