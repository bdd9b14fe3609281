import {
  type Grouping,
  type Statistics,
  type StatisticsRow,
  sparkline,
  spreadLine,
  statisticsOf,
} from '../board/statistics.ts';
import { csvText } from '../lib/csv-text.ts';
import type { TableCell, TableColumn } from '../lib/table.ts';
import { counted } from '../lib/text.ts';
import { UsageError } from '../settings/errors.ts';
import { readRows } from '../settings/session/open-stores.ts';
import { type Session, say, zoneOf } from '../settings/session/session.ts';
import { printTable } from '../settings/session/text-table.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { readPastTime } from './changes.ts';
import type { StatsJson } from './published-schemas.ts';

interface StatsOptions {
  readonly by: Grouping;
  readonly since?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** Cells of the line of days. */
const spreadWidth = 24;

const headings: Readonly<Record<Grouping, string>> = {
  courier: 'COURIER',
  country: 'COUNTRY',
  tag: 'TAG',
  week: 'WEEK OF',
};

/** Reads the store only; never queries the service. */
export async function runStats(session: Session, { by, csv, json, since }: StatsOptions): Promise<ExitCode> {
  const { context } = session;
  const { now, parcels } = await readRows(session);
  const zone = zoneOf(session);
  const from = since === undefined ? null : readPastTime(since, now, zone);
  if (since !== undefined && from === null)
    throw new UsageError(
      `"${since}" is not a valid time. --since takes a day or time, such as 2026-11-01, monday or "30 days ago".`,
    );
  const statistics = statisticsOf(parcels, { by, since: from, now, zone });
  if (json === true) {
    const { made, right } = statistics.forecast;
    const answer: StatsJson = {
      version: 1,
      since: from === null ? null : new Date(from).toISOString().replace(/\.\d+Z$/, 'Z'),
      by,
      rows: statistics.rows.map(jsonRow),
      forecast: { made, right, share: shareOf(right, made) },
    };
    context.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  } else if (csv === true) {
    const names = ['name', 'parcels', 'delivered', 'medianDays', 'p90Days', 'late', 'problems'] as const;
    context.stdout.write(csvText([names, ...statistics.rows.map((row) => names.map((name) => row[name]))]));
  } else if (statistics.all.parcels === 0) say(context, 'There are no parcels to count.');
  else print(session, by, statistics);
  return exitCode.done;
}

const jsonRow = ({ delivered, late, medianDays, name, p90Days, parcels, problems }: StatisticsRow) => ({
  name,
  parcels,
  delivered,
  medianDays,
  p90Days,
  late,
  problems,
});

/** Returns a fraction of 1, rounded to three places; null if nothing was counted. */
const shareOf = (part: number, all: number): number | null =>
  all === 0 ? null : Math.round((part / all) * 1000) / 1000;

function print(session: Session, by: Grouping, { all, deliveredByWeek, forecast, rows }: Statistics): void {
  const most = Math.max(1, ...rows.map(({ p90Days }) => p90Days ?? 0));
  const columns: readonly TableColumn[] = [
    { title: headings[by], yields: 1 },
    { title: 'PARCELS', align: 'right', yields: 0 },
    { title: 'DELIVERED', align: 'right', yields: 0 },
    { title: 'MEDIAN', align: 'right', yields: 0 },
    { title: '9 OF 10', align: 'right', yields: 0 },
    { title: `0 TO ${most} DAYS`, yields: 4 },
    { title: 'SLOWEST', align: 'right', yields: 3 },
    { title: 'LATE', align: 'right', yields: 2 },
    { title: 'PROBLEMS', align: 'right', yields: 2 },
  ];
  const row = (one: StatisticsRow, name: string): readonly TableCell[] => [
    { text: name, bold: true },
    { text: String(one.parcels) },
    { text: String(one.delivered) },
    { text: daysText(one.medianDays) },
    { text: daysText(one.p90Days) },
    { text: spreadLine(one, most, spreadWidth), dim: true },
    { text: daysText(one.longestDays), dim: true },
    { text: percentText(one.late, one.parcels) },
    { text: percentText(one.problems, one.parcels), ...(one.problems > 0 ? { tone: 'attention' as const } : {}) },
  ];
  printTable(session, {
    columns,
    rows: [...rows.map((one) => row(one, one.name ?? 'none')), ...(rows.length > 1 ? [row(all, 'all')] : [])],
  });
  const [lastWeek = 0, thisWeek = 0] = deliveredByWeek.slice(-2);
  const bars = session.style.glyphs === 'ascii' ? deliveredByWeek.join(' ') : sparkline(deliveredByWeek);
  const { made, right } = forecast;
  const score =
    made === 0 ? 'none to check yet' : `right for ${right} of ${counted(made, 'parcel')} (${percentText(right, made)})`;
  session.context.stdout.write(
    `\nDelivered this week: ${thisWeek}, last week: ${lastWeek}  ${bars}\nForecasts for nine in ten: ${score}\n`,
  );
}

const daysText = (days: number | null): string => (days === null ? '' : `${days} d`);

const percentText = (part: number, all: number): string =>
  part === 0 || all === 0 ? '' : `${Math.max(1, Math.round((part / all) * 100))} %`;
