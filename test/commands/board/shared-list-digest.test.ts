import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { ShowBoard } from '../../../src/commands/session/context.ts';
import type { AheadRequest } from '../../../src/screen/board-request.ts';
import type { Parcel } from '../../../src/watchlist/model/parcel.ts';
import { createPostgresStore } from '../../../src/watchlist/postgres/postgres-store.ts';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';
import { eventually } from '../../support/eventually.ts';
import { accountOf } from '../../support/postgres/account-of.ts';
import { createTestDatabase } from '../../support/postgres/test-server.ts';
import { putMany } from '../../watchlist/postgres/many-parcels.ts';
import { makeTables, openDatabase } from '../../watchlist/postgres/test-database.ts';

const count = 2_100;

let user: CliUser;
let address = '';
beforeAll(async () => {
  ({ address } = await createTestDatabase());
  await makeTables(address);
  user = await createCliUser({
    environment: {
      PARCEL_MONITOR_STORE: address,
      PARCEL_MONITOR_STORE_ACCOUNT: 'home',
      PARCEL_MONITOR_API_KEY: 'key',
      PARCEL_MONITOR_BASE_URL: 'http://127.0.0.1:9/',
    },
  });
});
afterAll(() => user.remove());

const digestFile = (): string => join(user.home, '.local', 'state', 'parcel-monitor', 'shared-list-digest.json');

/** Another host's. */
async function openStore() {
  const database = openDatabase(address);
  const account = await accountOf(database, {
    named: 'home',
    baseUrl: 'http://127.0.0.1:9/',
    key: null,
    remembered: null,
  });
  return { database, account, store: createPostgresStore({ database, account }) };
}

/** What was shown before the list was read: how many parcels there were by then, and what the list holds. */
interface Ahead extends AheadRequest {
  readonly read: number;
  readonly first: Parcel | null;
}

/** Opens a board that is left when that has come about; answers what was shown before its list was read. */
async function openBoard(until: () => Promise<unknown> = async () => undefined): Promise<Ahead | null> {
  let ahead: Ahead | null = null;
  const showBoard: ShowBoard = async () => {
    await until();
    return { reason: 'quit', error: null };
  };
  const { exitCode, stderr } = await user.run([], {
    showBoard,
    showAhead: async (request) => {
      const { digest, monitor } = request;
      const [outline] = digest.arrangement.order;
      if (outline === undefined) return;
      expect(digest.whole(outline)).toBeNull();
      await digest.read?.([outline]);
      ahead = { ...request, read: monitor.getState().parcels.length, first: digest.whole(outline) };
    },
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return ahead;
}

it('of a long list in a database is kept while a board is open, and follows what others have changed', async () => {
  const { account, database, store } = await openStore();
  const later = Date.now() + 3 * 60 * 60_000;
  await putMany(database, account, { count, from: later, stepMs: 1_000 });
  expect(await openBoard(async () => await eventually(async () => (await stat(digestFile())).isFile()))).toBeNull();
  expect((await stat(digestFile())).mode & 0o777).toBe(0o600);
  const shown = await openBoard();
  expect(shown?.read).toBe(0);
  expect(shown?.digest.arrangement.order).toHaveLength(count);
  expect(shown?.polling).toMatchObject({ phase: 'waiting', nextPollAt: expect.any(Number) });

  const { parcels, revision } = await store.read();
  const [one, two] = await store.whole(parcels.slice(0, 2).map(({ id }) => id));
  if (one === undefined || two === undefined) throw new Error('There are none.');
  const writes = [
    { id: one.id, parcel: { ...one, label: 'Lamp' } },
    { id: two.id, parcel: null },
  ];
  expect((await store.write(writes, revision, Date.now())).isWritten).toBe(true);
  const changed = await openBoard();
  expect(changed?.digest.arrangement.order).toHaveLength(count - 1);
  expect(changed?.first).toMatchObject({ id: one.id, label: 'Lamp' });
});

it('lets a board be left before its list is read', async () => {
  let isShown = false;
  const { exitCode, stderr } = await user.run([], {
    showBoard: async () => {
      isShown = true;
      return { reason: 'quit', error: null };
    },
    showAhead: async ({ leave }) => leave(),
  });
  expect({ exitCode, isShown, stderr }).toEqual({ exitCode: 0, isShown: false, stderr: '' });
});

it('says nothing of another list, and where anything is not as it should be', async () => {
  const kept = await readFile(digestFile(), 'utf8');
  onTestFinished(() => writeFile(digestFile(), kept));
  expect(await openBoard()).not.toBeNull();
  for (const text of [
    kept.slice(0, -10),
    '{}',
    kept.replace('"revision":', '"revision":1'),
    kept.replace('"mark":"', '"mark":"x'),
  ]) {
    await writeFile(digestFile(), text);
    expect(await openBoard()).toBeNull();
  }
});
