import { parse } from 'chrono-node/en';
import { toDate } from 'date-fns-tz';
import { changeJson } from '../board/parcel-json.ts';
import { dayMs, type EpochMs } from '../lib/clock.ts';
import { parseUserTime, type Zone } from '../lib/date-time.ts';
import type { Change } from '../parcels/change.ts';
import { UsageError } from '../settings/errors.ts';
import { printNote, printNotices } from '../settings/session/output.ts';
import { type Session, zoneOf } from '../settings/session/session.ts';
import type { WatchlistStore } from '../store/store.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { missingLinesText, readLineNumber, timedChangeLine } from './print-changes.ts';

interface ChangesOptions {
  readonly since?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

type ChangesStart = { readonly line: number } | { readonly noticedAt: EpochMs };

/** Only reads the store. Never queries the service. */
export async function runChanges(session: Session, options: ChangesOptions): Promise<ExitCode> {
  const { context } = session;
  const limit = options.limit === undefined ? null : parseLimit(options.limit);
  const start = options.since === undefined ? { line: 0 } : await parseStart(session, options.since);
  const { store } = await session.stores('read');
  const readLines = await readChanges(session, store, start);
  printNotices(session, store);
  const changes = limit === null ? readLines : readLines.slice(-limit);
  if (options.json === true) {
    context.stdout.write(changes.map((change) => `${JSON.stringify(changeJson(change))}\n`).join(''));
    return exitCode.done;
  }
  if (changes.length === 0 && !('line' in start && start.line > 0)) {
    printNote(
      context,
      options.since === undefined ? 'There are no changes yet.' : `No changes since ${options.since}.`,
    );
  }
  const zone = session.configuration.zone();
  context.stdout.write(changes.map((change) => `${timedChangeLine(change, zone)}\n`).join(''));
  return exitCode.done;
}

async function readChanges(
  { context }: Session,
  store: WatchlistStore,
  start: ChangesStart,
): Promise<readonly Change[]> {
  if ('noticedAt' in start) {
    const changes = await store.changeLogAfter(0);
    return changes.filter(({ noticedAt }) => Date.parse(noticedAt) >= start.noticedAt);
  }
  const since = start.line;
  // Reads no parcels, because a database can return the newest line's number without them.
  const { changeSeq } = await store.read([]);
  const changes = await store.changeLogAfter(since);
  const newest = changes.at(-1)?.seq ?? changeSeq;
  // Without `--since`, it is normal that the oldest lines are gone.
  const missing = since === 0 ? null : missingLinesText(since, changes, newest);
  if (missing !== null) printNote(context, missing);
  return changes;
}

async function parseStart(session: Session, since: string): Promise<ChangesStart> {
  const line = readLineNumber(since);
  if (line !== null) return { line };
  const { clock } = await session.stores('read');
  const acceptedForms =
    'a day (2026-11-18, friday, yesterday, "2 days ago"), a time (9:00, "yesterday 18:30"), an ISO 8601 timestamp (2026-11-18T09:00:00Z), or the "seq" of a line (41)';
  return { noticedAt: parseSince(since, clock.now(), zoneOf(session), acceptedForms) };
}

/**
 * Reads the value of `--since`. Throws a {@link UsageError} for anything that {@link readPastTime} does not understand.
 * @param acceptedForms the values that the option takes, for the error message
 */
export function parseSince(since: string, now: EpochMs, zone: Zone, acceptedForms: string): EpochMs {
  const at = readPastTime(since, now, zone);
  if (at !== null) return at;
  throw new UsageError(`"${since}" is not a valid time. --since takes ${acceptedForms}.`);
}

function parseLimit(text: string): number {
  const limit = readLineNumber(text);
  if (limit !== null && limit > 0) return limit;
  throw new UsageError(`"${text}" is not a valid limit. --limit takes a number of at least 1.`);
}

type Components = ReturnType<typeof parse>[number]['start'];

/** Dates such as 1/2, which are rejected because the order of day and month is ambiguous. */
const ambiguousDate = /\d\s*\/\s*\d/;

/**
 * Parses an ISO time or English words such as "2 days ago". Uses the clock of `zone` if there is no offset. A weekday
 * or time alone means the last one before `now`. Returns null for any other text.
 */
export function readPastTime(text: string, now: EpochMs, zone: Zone): EpochMs | null {
  const instant = parseUserTime(text, () => zone.name);
  if (instant !== null) return instant;
  const trimmed = text.trim();
  if (ambiguousDate.test(trimmed)) return null;
  // The viewer's offset makes the result independent of the time zone of the process.
  const reference = { instant: new Date(now), timezone: zone.offsetAt(now) / 60_000 };
  const [parsed, ...others] = parse(trimmed, reference);
  if (parsed === undefined || others.length > 0 || parsed.end != null || parsed.text !== trimmed) return null;
  const { start } = parsed;
  const wall = wallTime(start);
  // A duration such as "3 hours ago", or a time with an offset, is already an instant.
  if (start.isCertain('timezoneOffset')) return wall - (start.get('timezoneOffset') ?? 0) * 60_000;
  const at = toInstant(wall, zone);
  return at <= now ? at : toInstant(previousOccurrence(start, wall), zone);
}

/** Returns the wall-clock time as if it were UTC. */
function wallTime(start: Components): EpochMs {
  const part = (name: Parameters<Components['get']>[0]): number => start.get(name) ?? 0;
  const midnight = Date.UTC(part('year'), part('month') - 1, part('day'));
  if (!start.isCertain('hour')) return midnight;
  return midnight + ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1_000 + part('millisecond');
}

function previousOccurrence(start: Components, wall: EpochMs): EpochMs {
  if (start.isCertain('year')) return wall;
  if (start.isCertain('month')) {
    const date = new Date(wall);
    return date.setUTCFullYear(date.getUTCFullYear() - 1);
  }
  if (start.isCertain('weekday')) return wall - 7 * dayMs;
  return start.isCertain('hour') ? wall - dayMs : wall;
}

/** date-fns-tz resolves times that a clock change skips or repeats. */
function toInstant(wall: EpochMs, zone: Zone): EpochMs {
  return toDate(new Date(wall).toISOString().slice(0, -1), { timeZone: zone.name }).getTime();
}
