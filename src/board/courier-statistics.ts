import { fitText } from '../lib/cells.ts';
import type { GlyphSet, Line } from '../lib/paint.ts';
import { counted } from '../lib/text.ts';
import { type Statistics, type StatisticsRow, sparkline, spreadLine } from './statistics.ts';

export interface StatisticsView {
  readonly chosen: number;
  readonly width: number;
  readonly height: number;
  readonly glyphs: GlyphSet;
}

const daysText = (days: number | null): string => (days === null ? '' : `${days} d`);
const shareText = (part: number, all: number): string =>
  part === 0 || all === 0 ? '' : `${Math.max(1, Math.round((part / all) * 100))} %`;

/** Cells of the columns besides the line of days. */
const figuresWidth = 24 + 8 + 10 + 8 + 9 + 6 + 9 + 4;

/** A row for each courier, one for all, the weeks and how often forecasts were right. */
export function statisticsLines(statistics: Statistics, view: StatisticsView): readonly Line[] {
  const { all, deliveredByWeek, forecast, rows } = statistics;
  const { chosen, height, width } = view;
  const most = Math.max(1, ...rows.map(({ p90Days }) => p90Days ?? 0));
  const spread = Math.min(40, Math.max(0, width - figuresWidth));
  const row = (one: StatisticsRow, name: string, isChosen: boolean): Line => [
    { text: isChosen ? '▌ ' : '  ', tone: 'accent', bold: true },
    { text: fitText(name, 22), bold: isChosen },
    { text: String(one.parcels).padStart(8) },
    { text: String(one.delivered).padStart(10) },
    { text: daysText(one.medianDays).padStart(8) },
    { text: daysText(one.p90Days).padStart(9) },
    { text: shareText(one.late, one.parcels).padStart(6) },
    {
      text: shareText(one.problems, one.parcels).padStart(9),
      ...(one.problems > 0 ? { tone: 'attention' as const } : {}),
    },
    { text: `  ${spread < 8 ? '' : fitText(spreadLine(one, most, spread), spread)}`, dim: !isChosen },
  ];
  const head = `${fitText('  Courier', 24)} parcels delivered  median  9 of 10  late problems`;
  const [lastWeek = 0, thisWeek = 0] = deliveredByWeek.slice(-2);
  const bars = view.glyphs === 'ascii' ? deliveredByWeek.join(' ') : sparkline(deliveredByWeek);
  const score =
    forecast.made === 0
      ? 'Forecasts for nine in ten: none to check yet'
      : `Forecasts for nine in ten: right for ${forecast.right} of ${counted(forecast.made, 'parcel')} (${shareText(forecast.right, forecast.made)})`;
  const below: readonly Line[] = [
    row(all, 'all', false),
    [],
    [{ text: `  Delivered this week: ${thisWeek}, last week: ${lastWeek}  ` }, { text: bars, tone: 'accent' }],
    [{ text: `  ${score}`, dim: true }],
  ];
  const room = Math.max(1, height - 1 - below.length);
  const from = Math.max(0, Math.min(chosen - Math.floor(room / 2), rows.length - room));
  const days = spread < 8 ? '' : `  0 to ${most} days`;
  return [
    [{ text: `${head}${days}`, dim: true }],
    ...rows.slice(from, from + room).map((one, index) => row(one, one.name ?? 'not known', from + index === chosen)),
    ...below,
  ];
}
