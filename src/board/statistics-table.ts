import { fitLine, lineWidth } from '../lib/cells.ts';
import type { GlyphSet, Line } from '../lib/paint.ts';
import { type Table, type TableCell, type TableColumn, tableLines } from '../lib/table.ts';
import { counted } from '../lib/text.ts';
import { type Statistics, type StatisticsRow, sparkline, spreadLine } from './statistics.ts';

const daysText = (days: number | null): string => (days === null ? '' : `${days} d`);

const shareText = (part: number, all: number): string =>
  part === 0 || all === 0 ? '' : `${Math.max(1, Math.round((part / all) * 100))}%`;

interface TableTitles {
  /** Heading of the column with the names. */
  readonly title: string;
  /** Name of the row for parcels without any. */
  readonly unnamed: string;
}

/** Possible widths of the chart of days, in cells. */
const spreads = [40, 24, 18, 12] as const;

/**
 * Returns a row for each group, and a row for all parcels at the end. Chooses the widest chart of days that fits, because
 * a chart that was cut off would be misleading.
 * @param width null if there is no limit
 */
export function statisticsTable(statistics: Statistics, titles: TableTitles, width: number | null): Table {
  const tables = spreads
    .filter((spread) => (width === null ? spread === 24 : width >= wideFrom || spread <= 24))
    .map((spread) => tableWith(statistics, { ...titles, spread }));
  const fits = (table: Table): boolean => width === null || lineWidth(tableLines(table, null)[0] ?? []) <= width;
  return tables.find(fits) ?? tableWith(statistics, { ...titles, spread: 12 });
}

function tableWith(
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

/** The chart of days is longer from this width on. */
const wideFrom = 120;

/** Returns the part of the table around the chosen courier and the notes. `lineOf` finds the line of a visible courier. */
export function statisticsLines(
  statistics: Statistics,
  view: StatisticsView,
): { readonly lines: readonly Line[]; readonly lineOf: (index: number) => number | null } {
  const { chosen, glyphs, height, width } = view;
  const look = { title: 'Courier', unnamed: 'not known' };
  const room = width - markWidth;
  const [head = [], ...lines] = tableLines(statisticsTable(statistics, look, room), room);
  const rows = lines.slice(0, -1).map((line, index) => marked(line, index === chosen));
  const { returned, score, trend, week } = statisticsNotes(statistics, glyphs);
  const below: readonly Line[] = [
    marked(lines.at(-1) ?? [], false),
    [],
    fitLine([{ text: `  ${week}` }, { text: trend, tone: 'accent' }], width),
    [{ text: `  ${returned}` }],
    [{ text: `  ${score}`, dim: true }],
  ];
  const visible = Math.max(1, height - 1 - below.length);
  const from = Math.max(0, Math.min(chosen - Math.floor(visible / 2), rows.length - visible));
  return {
    lines: [marked(head, false), ...rows.slice(from, from + visible), ...below],
    lineOf: (index) => (index >= from && index < from + visible ? index - from + 1 : null),
  };
}

const markWidth = 2;

const marked = (line: Line, isChosen: boolean): Line => [
  { text: isChosen ? '▌ ' : '  ', tone: 'accent', bold: true },
  ...line.map((segment) => ({ ...segment, bold: isChosen && segment.bold === true })),
];
