import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { changedDigest } from '../../board/digest/changed-digest.ts';
import { type DigestedList, digestedList } from '../../board/digest/digested-list.ts';
import { decodeDigest, encodeDigest, type ListDigest } from '../../board/digest/list-digest.ts';
import { makeDigest } from '../../board/digest/make-digest.ts';
import type { PollingPolicy } from '../../polling/schedule/policy.ts';
import { soonestWaits } from '../../polling/schedule/soonest-waits.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import { isJsonObject } from '../../service/text/json.ts';
import { parseJson } from '../../watchlist/document/document-format.ts';
import { writeFileAtomically } from '../../watchlist/files/atomic-write.ts';
import { refuseOtherThanFile } from '../../watchlist/files/open-file.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { DatabaseStores, Stores } from '../session/opened-stores.ts';
import type { Session } from '../session/session.ts';

/** Beside what else is remembered from one start to the next. */
const digestFile = 'shared-list-digest.json';

/** When the first is made after a start, and each later one after the one before, in milliseconds. */
const firstAfterMs = 2_000;
const renewedAfterMs = 10 * 60_000;

/** An older one holds no more: what is wide changes with the days. */
const oldestMs = 24 * 60 * 60_000;

/** As many as any call takes, and more. */
const soonestChecks = 200;

/** What it takes to keep a digest, and to read it. */
type Keeping = Pick<Session, 'context' | 'paths'>;

const pathOf = ({ paths }: Keeping): string => join(paths.state, digestFile);

/** Which list is meant. */
const markOf = ({ database: { account }, place }: DatabaseStores): string => `${place} ${account.id} ${account.name}`;

/**
 * Keeps, as long as a board is open, what the next one shows of a long list in a database before it has read it: now and then,
 * a little at a time, since whoever leaves does not wait. Answers how to end that. What cannot be kept is not: without it, a first
 * frame only comes later.
 */
export function keepSharedDigest(session: Keeping, zone: Zone, stores: () => Stores): () => Promise<void> {
  const { clock } = session.context;
  let isStopped = false;
  let cancel = (): void => undefined;
  let keeping = Promise.resolve();
  const pause = async (): Promise<void> => {
    await turnOfTheLoop();
    if (isStopped) throw new Error('The board has been left.');
  };
  const wait = (ms: number): void => {
    cancel = clock.setTimer(ms, () => {
      // As above.
      keeping = keep(session, zone, stores(), pause).catch(() => undefined);
      void keeping.then(() => (isStopped ? undefined : wait(renewedAfterMs)));
    });
  };
  wait(firstAfterMs);
  return async () => {
    isStopped = true;
    cancel();
    await keeping;
  };
}

async function keep(session: Keeping, zone: Zone, stores: Stores, pause: () => Promise<void>): Promise<void> {
  if (!isShared(stores)) return;
  const list = stores.database.list.newest();
  if (list === null) return;
  const { clock, random, version } = session.context;
  const checks = { register: [], query: [], plausibleFrom: 0 };
  const { parcels, revision } = list;
  const digest = await makeDigest({ parcels, places: null, now: clock.now(), zone, checks, pause });
  await pause();
  const text = JSON.stringify({ ...encodeDigest(digest), program: version, mark: markOf(stores), revision });
  await pause();
  await writeFileAtomically(pathOf(session), text, random);
}

const isShared = (stores: Stores): stores is DatabaseStores => stores.database !== null;

/** What the list in a database would show now, without all of it being read; null where that is not known. */
export async function openSharedDigest(
  session: Keeping,
  stores: Stores,
  policy: PollingPolicy,
  zone: Zone,
  now: EpochMs,
): Promise<DigestedList | null> {
  if (!isShared(stores)) return null;
  const { list } = stores.database;
  try {
    await refuseOtherThanFile(pathOf(session));
    const known = knownIn(parseJson(await readFile(pathOf(session), 'utf8')), session.context.version, markOf(stores));
    if (known === null || Math.abs(now - known.digest.madeAt) > oldestMs) return null;
    const [changes, soonest] = await Promise.all([list.changedSince(known.revision), list.soonest(soonestChecks)]);
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

/** The digest in a value, with the revision that it is of; null where another version of the program made it, or of another list. */
function knownIn(
  value: unknown,
  version: string,
  wanted: string,
): { readonly digest: ListDigest; readonly revision: number } | null {
  if (!isJsonObject(value)) return null;
  const { mark, program, revision, ...rest } = value;
  if (program !== version || mark !== wanted || typeof revision !== 'number') return null;
  const digest = decodeDigest(rest);
  return digest === null ? null : { digest, revision };
}
