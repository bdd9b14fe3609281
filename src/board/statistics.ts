import { fitLine, lineWidth } from '../lib/cells.ts';
import { dayMs, type EpochMs } from '../lib/clock.ts';
import { parseInstant, type Zone } from '../lib/date-time.ts';
import type { GlyphSet, Line } from '../lib/paint.ts';
import { type Table, type TableCell, type TableColumn, tableLines } from '../lib/table.ts';
import { counted } from '../lib/text.ts';
import { deliveredAt, isLate, lateFrom, type Viewer } from '../parcels/delivery.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStage, shownStage } from '../parcels/parcel-state.ts';
import { type ForecastScore, journeyOf, scoreForecasts } from '../parcels/usual-times.ts';
import { isReturn } from '../service/status.ts';
import { countryText } from './list/row-texts.ts';
import { courierName, lastEventTime } from './parcel-facts.ts';
import { dateText } from './time.ts';

export type Grouping = 'courier' | 'country' | 'tag' | 'week';

/** Figures for all parcels with the same courier, country, tag or week. */
interface StatisticsRow {
  /** Null for parcels that have none. */
  readonly name: string | null;
  readonly parcels: number;
  readonly delivered: number;
  /** Days in transit of delivered parcels. Null if none are known. */
  readonly medianDays: number | null;
  readonly p90Days: number | null;
  readonly shortestDays: number | null;
  readonly longestDays: number | null;
  /** Number of parcels that arrived late or are overdue. */
  readonly late: number;
  /** Number of parcels that need attention, or were rejected, cancelled, returned or lost. */
  readonly problems: number;
}

export interface Statistics {
  /** Most parcels first, but weeks in chronological order. */
  readonly rows: readonly StatisticsRow[];
  readonly all: StatisticsRow;
  /** Number of parcels delivered in each of the last weeks, the current week last. */
  readonly deliveredByWeek: readonly number[];
  /** The same for parcels sent back to the sender, by the time of their newest event. */
  readonly returnedByWeek: readonly number[];
  readonly forecast: ForecastScore;
}

interface StatisticsOptions extends Viewer {
  readonly by: Grouping;
  /** Counts only parcels that were added or delivered since then or are in transit. Null counts all parcels. */
  readonly since: EpochMs | null;
}

/** Number of weeks in the trend. */
const trendWeeks = 8;

/** Counts all parcels, including archived ones. */
export function computeStatistics(all: readonly Parcel[], options: StatisticsOptions): Statistics {
  const { by, now, since, zone } = options;
  const parcels = since === null ? all : all.filter((parcel) => isInPeriod(parcel, since));
  const namedParcels = parcels.flatMap((parcel) => groupNames(parcel, by, zone).map((name) => ({ name, parcel })));
  const rows = [...Map.groupBy(namedParcels, ({ name }) => name)].map(([name, members]) => {
    const groupParcels = members.map(({ parcel }) => parcel);
    return statisticsRow(name, groupParcels, options);
  });
  const journeys = all.flatMap((parcel) => journeyOf(parcel) ?? []);
  const deliveries = journeys.flatMap(({ days, startedAt }) => (days === null ? [] : [startedAt + days * dayMs]));
  return {
    rows: rows.toSorted((a, b) =>
      by === 'week'
        ? (a.name ?? '').localeCompare(b.name ?? '')
        : b.parcels - a.parcels || compareNames(a.name, b.name),
    ),
    all: statisticsRow(null, parcels, options),
    deliveredByWeek: countByWeek(deliveries, now, zone),
    returnedByWeek: countByWeek(all.flatMap(returnedAt), now, zone),
    forecast: scoreForecasts(journeys),
  };
}

/** Sorts names, with missing names at the end. */
const compareNames = (left: string | null, right: string | null): number =>
  left === null || right === null ? Number(left === null) - Number(right === null) : left.localeCompare(right);

function isInPeriod(parcel: Parcel, since: EpochMs): boolean {
  const isFinished = parcel.archivedAt !== null || ['delivered', 'expired', 'closed'].includes(shownStage(parcel));
  return !isFinished || (parseInstant(parcel.addedAt) ?? 0) >= since || (deliveredAt(parcel) ?? 0) >= since;
}

function groupNames(parcel: Parcel, by: Grouping, zone: Zone): readonly (string | null)[] {
  switch (by) {
    case 'courier':
      return [courierName(parcel)];
    case 'country':
      return [countryText(parcel) || null];
    case 'tag':
      return parcel.tags.length === 0 ? [null] : parcel.tags;
    case 'week':
      // Named after its Monday, such as `2026-11-16`.
      return [dateText(weekStart(deliveredAt(parcel) ?? parseInstant(parcel.addedAt) ?? 0, zone))];
  }
}

/** Returns the start of the week, Monday at midnight, as a wall time. */
function weekStart(at: EpochMs, zone: Zone): EpochMs {
  const day = Math.floor(zone.wallTime(at) / dayMs);
  // 1 January 1970 was a Thursday.
  return (day - ((day + 3) % 7)) * dayMs;
}

function statisticsRow(name: string | null, parcels: readonly Parcel[], viewer: Viewer): StatisticsRow {
  const days = parcels.flatMap((parcel) => journeyOf(parcel)?.days ?? []).toSorted((a, b) => a - b);
  const percentile = (share: number): number | null => days[Math.max(0, Math.ceil(days.length * share) - 1)] ?? null;
  return {
    name,
    parcels: parcels.length,
    delivered: parcels.filter((parcel) => parcelStage(parcel) === 'delivered').length,
    medianDays: percentile(0.5),
    p90Days: percentile(0.9),
    shortestDays: days[0] ?? null,
    longestDays: days.at(-1) ?? null,
    late: parcels.filter((parcel) => wasLate(parcel, viewer)).length,
    problems: parcels.filter((parcel) => ['attention', 'closed', 'rejected'].includes(shownStage(parcel))).length,
  };
}

function wasLate(parcel: Parcel, viewer: Viewer): boolean {
  const at = deliveredAt(parcel);
  if (at === null) return isLate(parcel, viewer);
  const promise = parcel.record?.expectedDelivery;
  return promise !== undefined && promise !== null && at >= lateFrom(promise, viewer);
}

/**
 * Returns the time of the newest event if the parcel is being or was returned to the sender. Empty for other parcels.
 */
export function returnedAt(parcel: Parcel): readonly EpochMs[] {
  const { lastEvent, record } = parcel;
  const at = isReturn(record?.transitSubStatus ?? lastEvent?.subStatus ?? null) ? lastEventTime(parcel) : null;
  return at === null ? [] : [at.latest];
}

function countByWeek(times: readonly EpochMs[], now: EpochMs, zone: Zone): readonly number[] {
  const counts = new Array<number>(trendWeeks).fill(0);
  for (const at of times) {
    const ago = (weekStart(now, zone) - weekStart(at, zone)) / (7 * dayMs);
    const index = trendWeeks - 1 - ago;
    const count = counts[index];
    if (count !== undefined) counts[index] = count + 1;
  }
  return counts;
}

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** Returns a bar for each value. The maximum has full height. */
export function sparkline(values: readonly number[]): string {
  const max = Math.max(1, ...values);
  return values.map((value) => bars[Math.ceil((value / max) * (bars.length - 1))] ?? bars[0]).join('');
}

/**
 * Draws a line from the minimum to the 90th percentile, with a dot at the median. The full `width`, in cells,
 * represents `maxDays`.
 */
export function spreadLine(row: StatisticsRow, maxDays: number, width: number): string {
  const { medianDays, p90Days, shortestDays } = row;
  if (medianDays === null || p90Days === null || shortestDays === null) return '';
  const cell = (days: number): number => Math.min(width - 1, Math.round((days / Math.max(1, maxDays)) * (width - 1)));
  return Array.from({ length: width }, (_, at) => {
    if (at === cell(medianDays)) return '●';
    return at >= cell(shortestDays) && at <= cell(p90Days) ? '━' : ' ';
  })
    .join('')
    .trimEnd();
}

const daysText = (days: number | null): string => (days === null ? '' : `${days} d`);

const shareText = (part: number, all: number): string =>
  part === 0 || all === 0 ? '' : `${Math.max(1, Math.round((part / all) * 100))}%`;

interface TableTitles {
  /** Heading of the column with the names. */
  readonly title: string;
  /** Name of the row for parcels that have none. */
  readonly unnamed: string;
}

/** Possible widths of the chart of days, in cells, widest first. */
const chartWidths = [40, 24, 18, 12] as const;

/**
 * Returns a row for each group, and a row for all parcels at the end. Chooses the widest chart of days that fits,
 * because a chart that was cut off would be misleading.
 * @param width null if there is no limit
 */
export function statisticsTable(statistics: Statistics, titles: TableTitles, width: number | null): Table {
  const tables = chartWidths
    .filter((spread) => (width === null ? spread === 24 : width >= minWideWidth || spread <= 24))
    .map((spread) => createTable(statistics, { ...titles, spread }));
  const fits = (table: Table): boolean => width === null || lineWidth(tableLines(table, null)[0] ?? []) <= width;
  return tables.find(fits) ?? createTable(statistics, { ...titles, spread: 12 });
}

function createTable(
  { all, rows }: Statistics,
  { spread, title, unnamed }: TableTitles & { readonly spread: number },
): Table {
  const maxDays = Math.max(1, ...rows.map(({ p90Days }) => p90Days ?? 0));
  const columns: readonly TableColumn[] = [
    { title, yields: 1 },
    { title: 'parcels', align: 'right', yields: 3 },
    { title: 'delivered', align: 'right', yields: 2 },
    { title: 'median', align: 'right', yields: 0 },
    { title: '9 of 10', align: 'right', yields: 0 },
    { title: `0 to ${maxDays} days`, yields: 7, minWidth: spread },
    { title: 'slowest', align: 'right', yields: 6 },
    { title: 'late', align: 'right', yields: 5 },
    { title: 'problems', align: 'right', yields: 4 },
  ];
  const row = (group: StatisticsRow, name: string): readonly TableCell[] => [
    { text: name, bold: true },
    { text: String(group.parcels) },
    { text: String(group.delivered) },
    { text: daysText(group.medianDays) },
    { text: daysText(group.p90Days) },
    { text: spreadLine(group, maxDays, spread), dim: true },
    { text: daysText(group.longestDays), dim: true },
    { text: shareText(group.late, group.parcels) },
    { text: shareText(group.problems, group.parcels), ...(group.problems > 0 ? { tone: 'attention' as const } : {}) },
  ];
  return { columns, rows: [...rows.map((group) => row(group, group.name ?? unnamed)), row(all, 'all')] };
}

/** Returns the deliveries and returns of this and last week, the delivery trend, and the accuracy of the forecasts. */
export function statisticsNotes(
  { deliveredByWeek, forecast: { made, right }, returnedByWeek }: Statistics,
  glyphs: GlyphSet,
): { readonly week: string; readonly trend: string; readonly returned: string; readonly score: string } {
  const [lastWeek = 0, thisWeek = 0] = deliveredByWeek.slice(-2);
  const [returnedLastWeek = 0, returnedThisWeek = 0] = returnedByWeek.slice(-2);
  const score =
    made === 0 ? 'none to check yet' : `right for ${right} of ${counted(made, 'parcel')} (${shareText(right, made)})`;
  return {
    week: `Delivered this week: ${thisWeek}, last week: ${lastWeek}  `,
    trend: glyphs === 'ascii' ? deliveredByWeek.join(' ') : sparkline(deliveredByWeek),
    returned: `Returned to the sender this week: ${returnedThisWeek}, last week: ${returnedLastWeek}`,
    score: `90% forecasts: ${score}`,
  };
}

interface StatisticsView {
  readonly chosen: number;
  readonly width: number;
  readonly height: number;
  readonly glyphs: GlyphSet;
}

/** Minimum width, in cells, for the widest chart of days. */
const minWideWidth = 120;

/**
 * Returns the part of the table around the chosen courier, followed by the notes. `lineOf` returns the line of a
 * courier, or null if it is not visible.
 */
export function statisticsLines(
  statistics: Statistics,
  view: StatisticsView,
): { readonly lines: readonly Line[]; readonly lineOf: (index: number) => number | null } {
  const { chosen, glyphs, height, width } = view;
  const titles = { title: 'Courier', unnamed: 'not known' };
  const room = width - markWidth;
  const [head = [], ...lines] = tableLines(statisticsTable(statistics, titles, room), room);
  const rows = lines.slice(0, -1).map((line, index) => markRow(line, index === chosen));
  const { returned, score, trend, week } = statisticsNotes(statistics, glyphs);
  const footer: readonly Line[] = [
    markRow(lines.at(-1) ?? [], false),
    [],
    fitLine([{ text: `  ${week}` }, { text: trend, tone: 'accent' }], width),
    [{ text: `  ${returned}` }],
    [{ text: `  ${score}`, dim: true }],
  ];
  const visible = Math.max(1, height - 1 - footer.length);
  const from = Math.max(0, Math.min(chosen - Math.floor(visible / 2), rows.length - visible));
  return {
    lines: [markRow(head, false), ...rows.slice(from, from + visible), ...footer],
    lineOf: (index) => (index >= from && index < from + visible ? index - from + 1 : null),
  };
}

const markWidth = 2;

const markRow = (line: Line, isChosen: boolean): Line => [
  { text: isChosen ? '▌ ' : '  ', tone: 'accent', bold: true },
  ...line.map((segment) => ({ ...segment, bold: isChosen && segment.bold === true })),
];
