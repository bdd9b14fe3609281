import { createDigest, digestHtml, digestMarkdown, digestPlain } from '../board/digest.ts';
import {
  computeStatistics,
  type Grouping,
  type Statistics,
  statisticsNotes,
  statisticsTable,
} from '../board/statistics.ts';
import { createViewing } from '../board/status/forecast.ts';
import { csvText } from '../lib/escape.ts';
import { printTable } from '../lib/table.ts';
import type { Checkpoint } from '../service/record.ts';
import { plausibleEvents } from '../service/timeline-order.ts';
import { readWatchlistView, withHistories } from '../settings/session/open-stores.ts';
import { printJson, printNote } from '../settings/session/output.ts';
import { type Session, zoneOf } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { parseSince } from './changes.ts';
import type { DigestFormat } from './program/command-row.ts';
import type { StatsJson } from './published-schemas.ts';

interface StatsOptions {
  readonly by: Grouping;
  readonly since?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

const groupTexts = {
  courier: { title: 'COURIER', unnamed: 'not known' },
  country: { title: 'COUNTRY', unnamed: 'not known' },
  tag: { title: 'TAG', unnamed: 'none' },
  week: { title: 'WEEK OF', unnamed: 'none' },
} as const satisfies Readonly<Record<Grouping, object>>;

/** Only reads the store. Never queries the service. */
export async function runStats(session: Session, { by, csv, json, since }: StatsOptions): Promise<ExitCode> {
  const { context } = session;
  const { now, parcels } = await readWatchlistView(session);
  const zone = zoneOf(session);
  const from =
    since === undefined
      ? null
      : parseSince(since, now, zone, 'a day or time, such as 2026-11-01, monday or "30 days ago"');
  const statistics = computeStatistics(parcels, { by, since: from, now, zone });
  if (json === true) {
    const { made, right } = statistics.forecast;
    printJson<StatsJson>(context, {
      version: 1,
      since: from === null ? null : new Date(from).toISOString().replace(/\.\d+Z$/, 'Z'),
      by,
      rows: statistics.rows.map(({ longestDays: _, shortestDays: __, ...row }) => row),
      forecast: { made, right, share: roundedShare(right, made) },
    });
  } else if (csv === true) {
    const names = ['name', 'parcels', 'delivered', 'medianDays', 'p90Days', 'late', 'problems'] as const;
    context.stdout.write(csvText([names, ...statistics.rows.map((row) => names.map((name) => row[name]))]));
  } else if (statistics.all.parcels === 0) printNote(context, 'There are no parcels to count.');
  else printStatistics(session, by, statistics);
  return exitCode.done;
}

/** Returns a fraction between 0 and 1, rounded to three decimal places, or null if there is nothing to count. */
const roundedShare = (part: number, all: number): number | null =>
  all === 0 ? null : Math.round((part / all) * 1000) / 1000;

function printStatistics(session: Session, by: Grouping, statistics: Statistics): void {
  const { columns, rows } = statisticsTable(statistics, groupTexts[by], session.context.stdout.columns);
  printTable(session, {
    columns: columns.map((column) => ({ ...column, title: column.title.toUpperCase() })),
    // With a single group, the row with the total would only repeat it.
    rows: statistics.rows.length > 1 ? rows : rows.slice(0, -1),
  });
  const { returned, score, trend, week } = statisticsNotes(statistics, session.style.glyphs);
  session.context.stdout.write(`\n${week}${trend}\n${returned}\n${score}\n`);
}

interface DigestOptions {
  readonly since: string;
  readonly format: DigestFormat;
}

/** Only reads the store. Never queries the service. */
export async function runDigest(session: Session, { format, since }: DigestOptions): Promise<ExitCode> {
  const { context, style } = session;
  const { now, parcels } = await readWatchlistView(session);
  const zone = zoneOf(session);
  const from = parseSince(since, now, zone, 'a day or time, such as yesterday, monday or 2026-11-01');
  const viewing = createViewing(parcels, { now, zone });
  const digest = createDigest(parcels, from, viewing);
  if (format === 'html') {
    const digestParcels = digest.sections.flatMap(({ items }) => items.map(({ parcel }) => parcel));
    const events = new Map<string, readonly Checkpoint[]>();
    for await (const [{ id }, { checkpoints }] of withHistories(session, digestParcels))
      events.set(id, plausibleEvents(checkpoints));
    context.stdout.write(digestHtml(digest, { eventsOf: (id) => events.get(id) ?? [], now, zone }));
  } else if (format === 'md') context.stdout.write(digestMarkdown(digest));
  else context.stdout.write(digestPlain(digest, style.glyphs === 'ascii' ? '->' : '→'));
  return exitCode.done;
}
