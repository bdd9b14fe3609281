import { beforeAll, describe, expect, it } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { SoonestWindow } from '../../src/polling/due-window.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import { createPostgresStore, type PostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { putMany } from '../store/postgres/many-parcels.ts';
import { makeTables, newAccount, openDatabase } from '../store/postgres/test-database.ts';
import { writeAnew } from '../store/store-contract.ts';
import { eventually } from '../support/eventually.ts';
import { someThursday } from '../support/fake-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres/test-server.ts';
import { recordOf } from '../support/records.ts';
import { type Harness, type HarnessOptions, startHarness } from './harness.ts';

let tables: TestDatabase;
beforeAll(async () => {
  tables = await createTestDatabase();
  await makeTables(tables.address);
});

const second = 1_000;
const count = Number(process.env['MANY_PARCELS'] ?? 2_000);
const most = Math.min(5_000, count / 20);
const stepMs = count > 10_000 ? 10 : second;

interface Rig extends Harness {
  readonly database: Database;
  /** The same watchlist, as another host has it. */
  readonly other: PostgresStore;
  /** Lets time pass until that holds. */
  pass(isReached: () => boolean): Promise<void>;
}

/** A monitor that holds few of many parcels, of which one is due each second from now on. */
async function startRig(options: Partial<HarnessOptions> = {}): Promise<Rig> {
  const database = openDatabase(tables.address);
  const account = await newAccount(database);
  await putMany(database, account, { count, from: someThursday, stepMs });
  const store = createPostgresStore({ database, account });
  const harness = await startHarness({
    store,
    window: SoonestWindow.of(store, most),
    policy: { followMs: second },
    ...options,
  });
  for (let at = 0; at < count; at += 1) harness.service.registered.add(`RB${1_000_000 + at}CN`);
  return {
    ...harness,
    database,
    other: createPostgresStore({ database: openDatabase(tables.address), account }),
    pass: async (isReached) =>
      await eventually(async () => {
        await harness.clock.advance(10 * second);
        await harness.monitor.whenIdle();
        expect(isReached()).toBe(true);
      }),
  };
}

const asked = ({ service }: Harness): readonly string[] => service.calls.flatMap(({ trackNos }) => trackNos);

describe('a long watchlist in a database, without a screen', () => {
  it('is held in a small part, which goes on to what is due next; each is asked about once', async () => {
    const rig = await startRig();
    const { monitor, pass } = rig;
    expect(monitor.getState().parcels).toHaveLength(most);
    monitor.start();
    await pass(() => asked(rig).length >= most * 2.5);
    const numbers = asked(rig);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect([...numbers].sort().slice(0, most * 2)).toEqual(
      Array.from({ length: most * 2 }, (_, at) => `RB${1_000_000 + at}CN`),
    );
    expect(monitor.getState().parcels.length).toBeLessThan(most * 5);
  });

  it('shows what others change of the rest, and asks about it when that makes it due', async () => {
    const rig = await startRig();
    const { monitor, other, pass, service } = rig;
    monitor.start();
    const [last] = await other.withNumbers([`RB${1_000_000 + count - 1}CN`]);
    const due = { ...(last as Parcel), label: 'Lamp', nextPollAt: new Date(someThursday).toISOString() };
    await writeAnew(other, () => [{ id: due.id, parcel: due }]);
    await pass(() => service.calls.some(({ trackNos }) => trackNos.includes(due.trackNo)));
    expect(monitor.getState().parcels.find(({ id }) => id === due.id)).toMatchObject({ label: 'Lamp' });
  });

  it('takes in what is pushed about the rest', async () => {
    const { monitor, other } = await startRig();
    const trackNo = `RB${1_000_000 + count - 2}CN`;
    const record = recordOf({ trackNo, courierCode: 'yanwen', transitStatus: 'DELIVERED' });
    expect(await monitor.receive(record)).toBe('stored');
    expect(await monitor.receive(recordOf({ trackNo: 'RB0CN' }))).toBe('unknown');
    const [stored] = await other.withNumbers([trackNo]);
    expect(stored).toMatchObject({
      record: { transitStatus: 'DELIVERED' },
      merchant: { customerEmail: 'ann@example.com' },
    });
  });

  it('brings nothing back that was asked for by its number and has been removed since', async () => {
    const rig = await startRig();
    const { monitor, other, pass } = rig;
    const numbers = [3, 4].map((at) => `RB${1_000_000 + count - at}CN`);
    const records = numbers.map((trackNo) => recordOf({ trackNo, courierCode: 'yanwen' }));
    for (const record of records) expect(await monitor.receive(record)).toBe('stored');
    const [mine, theirs] = await Promise.all(numbers.map(async (trackNo) => (await other.withNumbers([trackNo]))[0]));
    const held = (): readonly string[] => monitor.getState().parcels.map(({ id }) => id);
    await monitor.remove(mine?.id ?? '');
    expect(held()).not.toContain(mine?.id);
    expect(held()).toContain(theirs?.id);
    monitor.start();
    const [last] = await other.withNumbers([`RB${1_000_000 + count - 1}CN`]);
    await writeAnew(other, () => [
      { id: theirs?.id ?? '', parcel: null },
      { id: last?.id ?? '', parcel: { ...(last as Parcel), label: 'Lamp' } },
    ]);
    await pass(() => monitor.getState().parcels.some(({ label }) => label === 'Lamp'));
    expect(held()).not.toContain(theirs?.id);
    expect(held()).not.toContain(mine?.id);
    await monitor.stop();
  });

  it('is refreshed in all that is due, a part at a time', async () => {
    const rig = await startRig();
    await rig.clock.advance(most * 3 * stepMs);
    const { answered } = await rig.monitor.refreshDue();
    expect(new Set(answered).size).toBeGreaterThanOrEqual(most * 3);
    expect(rig.service.calls.every(({ trackNos }) => trackNos.length <= 100)).toBe(true);
  });
});
