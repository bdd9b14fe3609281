import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { changedDigest } from '../../board/digest/changed-digest.ts';
import { type DigestedList, digestedList } from '../../board/digest/digested-list.ts';
import { encodeDigest } from '../../board/digest/list-digest.ts';
import { makeDigest } from '../../board/digest/make-digest.ts';
import type { PollingPolicy } from '../../polling/schedule/policy.ts';
import { mostKept, soonestWaits } from '../../polling/schedule/soonest-waits.ts';
import { type EpochMs, sleep } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import { writeFileAtomically } from '../../watchlist/files/atomic-write.ts';
import { refuseOtherThanFile } from '../../watchlist/files/open-file.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Stores } from '../session/opened-stores.ts';
import type { Session } from '../session/session.ts';
import { digestIn } from './list-digest.ts';

/** Beside what else is remembered from one start to the next. */
const digestFile = 'shared-list-digest.json';

/** When the first is made after a start, and each later one after the one before, in milliseconds. */
const firstAfterMs = 2_000;
const renewedAfterMs = 10 * 60_000;

/** An older one holds no more: what is wide changes with the days. */
const oldestMs = 24 * 60 * 60_000;

/** What it takes to keep a digest, and to read it. */
type Keeping = Pick<Session, 'context' | 'paths'>;

const pathOf = ({ paths }: Keeping): string => join(paths.state, digestFile);

type DatabasePart = NonNullable<Stores['database']>;

/** Which list is meant. */
const markOf = ({ account, database }: DatabasePart): string => `${database.place} ${account.id} ${account.name}`;

/**
 * Keeps, as long as a board is open, what the next one shows of a long list in a database before it has read it: now and then,
 * a little at a time, since whoever leaves does not wait. Answers how to end that. What cannot be kept is not: without it, a first
 * frame only comes later.
 */
export function keepSharedDigest(session: Keeping, zone: Zone, stores: () => Stores): () => Promise<void> {
  const { clock } = session.context;
  const leaving = new AbortController();
  const pause = async (): Promise<void> => {
    await turnOfTheLoop();
    leaving.signal.throwIfAborted();
  };
  const keepOn = async (): Promise<void> => {
    for (let waitMs = firstAfterMs; await sleep(clock, waitMs, leaving.signal); waitMs = renewedAfterMs) {
      // As above.
      await keep(session, zone, stores(), pause).catch(() => undefined);
    }
  };
  const keeping = keepOn();
  return async () => {
    leaving.abort();
    await keeping;
  };
}

async function keep(session: Keeping, zone: Zone, { database }: Stores, pause: () => Promise<void>): Promise<void> {
  const list = database?.list.newest() ?? null;
  if (database === null || list === null) return;
  const { clock, random, version } = session.context;
  const checks = { register: [], query: [], plausibleFrom: 0 };
  const { parcels, revision } = list;
  const digest = await makeDigest({ parcels, places: null, now: clock.now(), zone, checks, pause });
  await pause();
  const text = JSON.stringify({ ...encodeDigest(digest), program: version, mark: markOf(database), revision });
  await pause();
  await writeFileAtomically(pathOf(session), text, random);
}

/** What the list in a database would show now, without all of it being read; null where that is not known. */
export async function openSharedDigest(
  session: Keeping,
  { database }: Stores,
  policy: PollingPolicy,
  zone: Zone,
  now: EpochMs,
): Promise<DigestedList | null> {
  if (database === null) return null;
  const { list } = database;
  try {
    await refuseOtherThanFile(pathOf(session));
    const known = digestIn(await readFile(pathOf(session), 'utf8'), session.context.version);
    if (known === null || known.mark !== markOf(database) || known.revision === null) return null;
    if (Math.abs(now - known.digest.madeAt) > oldestMs) return null;
    const [changes, soonest] = await Promise.all([list.changedSince(known.revision), list.soonest(mostKept)]);
    if (changes === null) return null;
    const checks = soonestWaits(soonest, policy);
    const digest = changedDigest(known.digest, { ...changes, checks }, zone);
    const found = new Map<string, Parcel>();
    const shown = digest === null ? null : digestedList(digest, now, zone, () => null);
    if (shown === null) return null;
    return {
      ...shown,
      whole: ({ id }) => found.get(id) ?? null,
      read: async (outlines) => {
        for (const parcel of await list.of(outlines.map(({ id }) => id))) found.set(parcel.id, parcel);
      },
    };
  } catch {
    // The whole reading says what is wrong.
    return null;
  }
}
