import { type Grouping, type Statistics, statisticsOf } from '../board/statistics.ts';
import { statisticsNotes, statisticsTable } from '../board/statistics-table.ts';
import { csvText } from '../lib/csv-text.ts';
import { printTable } from '../lib/table.ts';
import { readRows } from '../settings/session/open-stores.ts';
import { printJson, printNote, type Session, zoneOf } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { pastTime } from './changes.ts';
import type { StatsJson } from './published-schemas.ts';

interface StatsOptions {
  readonly by: Grouping;
  readonly since?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

const looks = {
  courier: { title: 'COURIER', unnamed: 'not known' },
  country: { title: 'COUNTRY', unnamed: 'not known' },
  tag: { title: 'TAG', unnamed: 'none' },
  week: { title: 'WEEK OF', unnamed: 'none' },
} as const satisfies Readonly<Record<Grouping, object>>;

/** Only reads the store. Never queries the service. */
export async function runStats(session: Session, { by, csv, json, since }: StatsOptions): Promise<ExitCode> {
  const { context } = session;
  const { now, parcels } = await readRows(session);
  const zone = zoneOf(session);
  const from =
    since === undefined
      ? null
      : pastTime(since, now, zone, 'a day or time, such as 2026-11-01, monday or "30 days ago"');
  const statistics = statisticsOf(parcels, { by, since: from, now, zone });
  if (json === true) {
    const { made, right } = statistics.forecast;
    printJson<StatsJson>(context, {
      version: 1,
      since: from === null ? null : new Date(from).toISOString().replace(/\.\d+Z$/, 'Z'),
      by,
      rows: statistics.rows.map(({ longestDays: _, shortestDays: __, ...row }) => row),
      forecast: { made, right, share: shareOf(right, made) },
    });
  } else if (csv === true) {
    const names = ['name', 'parcels', 'delivered', 'medianDays', 'p90Days', 'late', 'problems'] as const;
    context.stdout.write(csvText([names, ...statistics.rows.map((row) => names.map((name) => row[name]))]));
  } else if (statistics.all.parcels === 0) printNote(context, 'There are no parcels to count.');
  else print(session, by, statistics);
  return exitCode.done;
}

/** Returns a fraction between 0 and 1, rounded to three decimal places, or null if there is nothing to count. */
const shareOf = (part: number, all: number): number | null =>
  all === 0 ? null : Math.round((part / all) * 1000) / 1000;

function print(session: Session, by: Grouping, statistics: Statistics): void {
  const { columns, rows } = statisticsTable(statistics, looks[by], session.context.stdout.columns);
  printTable(session, {
    columns: columns.map((column) => ({ ...column, title: column.title.toUpperCase() })),
    // With a single group, the row with the total would only repeat it.
    rows: statistics.rows.length > 1 ? rows : rows.slice(0, -1),
  });
  const { returned, score, trend, week } = statisticsNotes(statistics, session.style.glyphs);
  session.context.stdout.write(`\n${week}${trend}\n${returned}\n${score}\n`);
}
