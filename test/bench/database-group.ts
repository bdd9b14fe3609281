import { performance } from 'node:perf_hooks';
import type { Parcel } from '../../src/parcels/parcel.ts';
import type { PostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { systemClock } from '../../src/system/clock.ts';
import { openStore } from '../support/postgres/open-store.ts';
import { startPostgresServer } from '../support/postgres/postgres-server.ts';
import { seedDatabase } from './database-seed.ts';
import { measureAlternately, type Rounds, spreadOf } from './figures.ts';
import { absoluteFinding, type Finding, missingFinding } from './findings.ts';
import { board, end, quietMs, selectedRow, settle, start } from './programs.ts';
import { isSavedScreen } from './start-group.ts';
import { arrivalTime, drawAll, waitForScreen, waitUntilQuiet } from './timing.ts';
import type { User, Workshop } from './workshop.ts';

const hourMs = 60 * 60_000;
const account = 'bench';
const count = 100_000;
const counted = count.toLocaleString('en');
const group = `PostgreSQL, ${counted} parcels`;

/**
 * Measures a board with many parcels in a database on a server that waits for the disk: the time until it shows its
 * list, the time until it shows progress, and the time from a different host's commit to the frame that shows it.
 */
export async function measureDatabase(workshop: Workshop, rounds: Rounds): Promise<readonly Finding[]> {
  // Settings that suit this many rows. The server must not vacuum while we measure.
  const settings = { shared_buffers: '512MB', max_wal_size: '4GB', checkpoint_timeout: '1h', autovacuum: 'off' };
  const server = await startPostgresServer({ isDurable: true, settings });
  try {
    const address = server.address();
    const other = await openStore({ address, account });
    try {
      const now = systemClock.now();
      await seedDatabase(address, other.account, count, now, now + 6.5 * hourMs);
      const user = workshop.userOfDatabase('database', { address, account });
      return [...(await startFindings(user, rounds)), await commitToFrame(user, other.store, rounds)];
    } finally {
      await other.database.close();
    }
  } finally {
    await server.stop();
  }
}

const showsRows = (rows: readonly string[]): boolean =>
  rows.at(-1)?.includes('quit') === true && selectedRow(rows) !== null && !isSavedScreen(rows);

async function startFindings(user: User, rounds: Rounds): Promise<readonly Finding[]> {
  const startOnce = async (): Promise<{ readonly listMs: number; readonly progressMs: number | null }> => {
    user.removeSavedScreen();
    const run = start(board(user));
    try {
      const listMs = (await waitForScreen(run, showsRows, 'a list')) - run.startedAt;
      const progressAt = arrivalTime(` of ${counted} parcels`, run.output);
      return { listMs, progressMs: progressAt === null ? null : progressAt - run.startedAt };
    } finally {
      await end(run);
    }
  };
  const { starts } = await measureAlternately(rounds, { starts: startOnce });
  const progressTimes = starts.flatMap(({ progressMs }) => progressMs ?? []);
  const listed = starts.map(({ listMs }) => listMs);
  const about = { group, name: 'board: says how far it is' };
  return [
    absoluteFinding({ group, name: 'board: live frame', aim: 5_000 }, 'ms', spreadOf(listed)),
    progressTimes.length === starts.length
      ? absoluteFinding(about, 'ms', spreadOf(progressTimes))
      : missingFinding({ ...about, note: `shown in ${progressTimes.length} of ${starts.length} starts` }, 'ms'),
  ];
}

/** Measures the time from the end of a different host's write to the frame that shows it. */
async function commitToFrame(user: User, store: PostgresStore, rounds: Rounds): Promise<Finding> {
  const run = start(board(user));
  try {
    await waitForScreen(run, showsRows, 'a list');
    await settle(run, board(user).marker);
    const id = shownParcel(run.rows());
    const numberOf = (parcels: readonly Parcel[]): string => parcels.find((parcel) => parcel.id === id)?.trackNo ?? '';
    const trackNo = numberOf((await store.read()).parcels);
    const label = async (text: string): Promise<void> => {
      for (let isWritten = false; !isWritten; ) {
        const known = await store.read([trackNo]);
        const writes = known.parcels.map((parcel) => ({ id, parcel: { ...parcel, label: text } }));
        // The board may write in between, because it marks visible news as read. Then we try again.
        ({ isWritten } = await store.write(writes, known, systemClock.now()));
      }
    };
    let counter = 0;
    const feed = async (): Promise<number> => {
      counter += 1;
      const text = `Fed ${counter} times`;
      await waitUntilQuiet(run, quietMs);
      await drawAll(run);
      await label(text);
      const committedAt = performance.now();
      // The frame may appear before the writer learns that its commit succeeded.
      return Math.max(0, (await waitForScreen(run, (rows) => rows.join('\n').includes(text), text)) - committedAt);
    };
    const { feeds } = await measureAlternately(rounds, { feeds: feed });
    return absoluteFinding({ group, name: 'commit to frame of another host', aim: 100 }, 'ms', spreadOf(feeds));
  } finally {
    await end(run);
  }
}

/** Returns the ID of a visible parcel that has a label and is not selected. */
function shownParcel(rows: readonly string[]): string {
  const selected = selectedRow(rows);
  for (const [row, text] of rows.entries()) {
    const number = row === selected ? undefined : /Order (\d+)/.exec(text)?.[1];
    if (number !== undefined) return `seeded-${Number(number) - 1}`;
  }
  throw new Error('The board shows no unselected parcel with a label.');
}
