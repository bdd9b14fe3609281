import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { Change } from '../../watchlist/changes/change.ts';
import type { WatchlistStore } from '../../watchlist/store/store.ts';
import { missingLines, readLineNumber } from '../input/log-line.ts';
import { changeJson } from '../output/change-json.ts';
import { UsageError } from '../session/errors.ts';
import { type Session, say, sayNotices } from '../session/session.ts';
import { zoneOf } from '../session/zone-of.ts';

/** Options of `changes`. */
interface ChangesOptions {
  /** A line of the log, or a time in words. */
  readonly since?: string;
  /** How many of the newest. */
  readonly limit?: string;
  readonly json?: boolean;
}

/** Where to begin: after a line, or with what was noticed at a time. */
type Beginning = { readonly line: number } | { readonly noticedAt: EpochMs };

/** Prints the change log, oldest line first. It reads the files only and never queries the service. */
export async function runChanges(session: Session, options: ChangesOptions): Promise<ExitCode> {
  const { context } = session;
  const limit = options.limit === undefined ? null : limitOf(options.limit);
  const beginning = options.since === undefined ? { line: 0 } : await beginningOf(session, options.since);
  const { store } = await session.stores('read');
  const found = await linesFrom(session, store, beginning);
  sayNotices(session, store);
  const changes = limit === null ? found : found.slice(-limit);
  if (options.json === true) {
    context.stdout.write(changes.map((change) => `${JSON.stringify(changeJson(change))}\n`).join(''));
    return exitCode.done;
  }
  if (changes.length === 0 && !('line' in beginning && beginning.line > 0)) {
    say(
      context,
      options.since === undefined ? 'Nothing has changed yet.' : `Nothing has changed since ${options.since}.`,
    );
  }
  const [{ timedChangeLine }, zone] = [await import('../output/change-line.ts'), session.configuration.zone()];
  context.stdout.write(changes.map((change) => `${timedChangeLine(change, zone)}\n`).join(''));
  return exitCode.done;
}

async function linesFrom(
  { context }: Session,
  store: WatchlistStore,
  beginning: Beginning,
): Promise<readonly Change[]> {
  if ('noticedAt' in beginning) {
    const changes = await (store.changeLogFrom?.(beginning.noticedAt) ?? store.changeLogAfter(0));
    return changes.filter(({ noticedAt }) => Date.parse(noticedAt) >= beginning.noticedAt);
  }
  const since = beginning.line;
  // How far the log goes is known without a parcel being read, where the store can do so.
  const { changeSeq } = await (store.onlyNumbers?.([]) ?? store.read());
  const found = await store.changeLogAfter(since);
  const newest = found.at(-1)?.seq ?? changeSeq;
  // Without a wish, it is clear that there were others before.
  const missing = since === 0 ? null : missingLines({ since, found, newest });
  if (missing !== null) say(context, missing);
  return found;
}

async function beginningOf(session: Session, since: string): Promise<Beginning> {
  const line = readLineNumber(since);
  if (line !== null) return { line };
  const { clock } = await session.stores('read');
  // To read words takes long to load, and is not needed to go on behind a line.
  const { readPastTime } = await import('../input/past-time.ts');
  const noticedAt = readPastTime(since, clock.now(), zoneOf(session));
  if (noticedAt !== null) return { noticedAt };
  throw new UsageError(
    `"${since}" is not a time that can be read: --since takes a day (2026-11-18, friday, yesterday, "2 days ago"), a time (9:00, "yesterday 18:30"), an instant (2026-11-18T09:00:00Z), or the "seq" of a line (41).`,
  );
}

function limitOf(text: string): number {
  const limit = readLineNumber(text);
  if (limit !== null && limit > 0) return limit;
  throw new UsageError(`"${text}" is not a number of lines: --limit takes one from 1 on.`);
}
