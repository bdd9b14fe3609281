import { readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayMs as day } from '../../src/lib/clock.ts';
import { type Backup, selectBackupsToKeep } from '../../src/store/recovery.ts';
import { nextAges, readTrashAges, type TrashAges } from '../../src/store/trash.ts';
import { addUsage, type UsageDays, usageTotals } from '../../src/store/usage-meter.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { createFakeClock, someThursday } from '../support/fake-clock.ts';
import { forAll } from '../support/for-all.ts';
import { checkpointOf } from '../support/records.ts';
import { rounds } from '../support/rounds.ts';
import { addParcels, createStoreFolder, removeParcels, type StoreFolder } from './store-folder.ts';

/** Days between two changes in a month of changes. */
const everyDays = 30 / rounds(30, 10);
let folder: StoreFolder;
beforeEach(async () => {
  folder = await createStoreFolder();
});
afterEach(() => folder.remove());

let added = 0;
/** Changes something as a command would while the clock shows `at`. The file gets that time too. */
async function changeAt(at: number, change?: Parameters<ReturnType<StoreFolder['open']>['update']>[0]): Promise<void> {
  added += 1;
  await folder.open({ clock: createFakeClock(at) }).update(change ?? addParcels(parcelOf(`RB${added}CN`)));
  await utimes(folder.indexPath, at / 1000, at / 1000);
}

const namesOf = async (name: string): Promise<readonly string[]> =>
  (await readdir(join(folder.directory, name)).catch(() => [])).sort();
const trashed = async (at = someThursday): Promise<readonly string[]> =>
  (await folder.open({ clock: createFakeClock(at) }).recovery.trashed()).map(({ parcel }) => parcel.trackNo);

/** Clocks that are wrong for one command, or for several commands on one day. */
const wrongClocks: readonly (readonly [string, number])[] = [
  ['40 days ahead', someThursday + 40 * day],
  ['ten years ahead', someThursday + 3_650 * day],
  ['in 1970', day],
];

describe.each(wrongClocks)('a clock that was once %s', (_name, wrong) => {
  it('does not cause a removed parcel to be deleted permanently', async () => {
    await changeAt(someThursday - day, addParcels(parcelOf('KEPT1CN')));
    const store = folder.open({ clock: createFakeClock(someThursday) });
    const checkpoints = [checkpointOf('Arrived', '2026-11-18T08:00:00Z')];
    await store.updateHistory('kept1cn', (history) => ({ ...history, checkpoints }));
    await changeAt(someThursday, removeParcels('kept1cn'));
    for (let times = 0; times < 3; times += 1) await changeAt(wrong + times * 3_600_000);
    await changeAt(someThursday + day);
    await changeAt(wrong);
    await changeAt(someThursday + 2 * day);
    expect(await trashed()).toEqual(['KEPT1CN']);
    await folder.open({ clock: createFakeClock(someThursday + 3 * day) }).recovery.restoreParcel('kept1cn');
    expect((await folder.open().readHistory('kept1cn')).checkpoints).toEqual(checkpoints);
  });

  it("does not shorten a parcel's time in the trash, even if it was removed on that clock", async () => {
    await changeAt(someThursday - day, addParcels(parcelOf('KEPT1CN')));
    await changeAt(wrong, removeParcels('kept1cn'));
    for (let days = everyDays; days <= 30; days += everyDays) await changeAt(someThursday + days * day);
    expect(await trashed()).toEqual(['KEPT1CN']);
  });

  it('does not cause backups of the watchlist to be removed', async () => {
    for (let days = 30; days > 0; days -= 1) await changeAt(someThursday - days * day);
    const before = await namesOf('backups');
    expect(before).toHaveLength(4);
    await changeAt(wrong);
    await changeAt(wrong + 3_600_000);
    const { recovery } = folder.open({ clock: createFakeClock(wrong) });
    const { keptAs } = await recovery.restoreBackup(before[0] ?? '');
    expect((await stat(keptAs ?? '')).isFile()).toBe(true);
    // Except for the older of the two newest days, which the last day's backup replaces.
    expect(await namesOf('backups')).toEqual(expect.arrayContaining([...before.slice(0, 2), before[3]]));
  });

  it('does not let the backups that it dated displace others forever', async () => {
    await changeAt(wrong);
    await changeAt(wrong + day);
    for (let days = 0; days < 20; days += 1) await changeAt(someThursday + days * day);
    const names = await namesOf('backups');
    for (const name of ['watchlist-2026-12-06.json', 'watchlist-2026-12-07.json', 'watchlist-2026-11-29.json']) {
      expect(names).toContain(name);
    }
    expect(names.length).toBeLessThanOrEqual(6);
  });

  it("does not lose any of this month's usage", () => {
    const oneCall = { calls: 1, queries: 1, numbers: 1, registrations: 1 };
    let days: UsageDays = {};
    for (let index = 61; index >= 0; index -= 1) days = addUsage(days, oneCall, someThursday - index * day);
    const before = usageTotals(days, someThursday);
    days = addUsage(days, oneCall, wrong);
    const after = usageTotals(addUsage(days, oneCall, someThursday), someThursday);
    expect(after.month.queries).toBe(before.month.queries + 1);
  });
});

it('counts the usage of a whole month after the clock was months ahead', () => {
  const oneCall = { calls: 1, queries: 1, numbers: 1, registrations: 1 };
  let days: UsageDays = {};
  for (let index = 0; index < 62; index += 1) days = addUsage(days, oneCall, someThursday + (400 + index) * day);
  const first = Date.UTC(2026, 11, 1);
  for (let index = 0; index < 31; index += 1) days = addUsage(days, oneCall, first + index * day);
  expect(usageTotals(days, first + 30 * day).month.queries).toBe(31);
  expect(Object.keys(days).length).toBeLessThanOrEqual(62);
});

describe('times in the trash', () => {
  it('grow by the elapsed time, at most three days per update', () => {
    let times = nextAges(null, ['a'], someThursday);
    expect(times.waited).toEqual({ a: 0 });
    times = nextAges(times, ['a', 'b'], someThursday + day);
    expect(times.waited).toEqual({ a: day, b: 0 });
    times = nextAges(times, ['b'], someThursday + 1_000 * day);
    expect(times.waited).toEqual({ b: 3 * day });
    expect(nextAges(times, ['b'], someThursday + 1_000 * day + 1)).toBe(times);
  });

  it('grow by at most one step when the clock goes wrong and is corrected', () =>
    forAll(fc.array(fc.integer({ min: -20_000, max: 20_000 }), { maxLength: 4 }), (jumps) => {
      let times: TrashAges = nextAges(null, ['a'], someThursday);
      for (const jump of jumps) {
        times = nextAges(times, ['a'], someThursday + jump * day);
        times = nextAges(times, ['a'], someThursday);
      }
      expect(times.waited['a']).toBeLessThanOrEqual(jumps.length * 3 * day);
    }));

  it('are read as they were saved, without unusable values', async () => {
    await changeAt(someThursday, addParcels(parcelOf('GONE1CN')));
    await changeAt(someThursday, removeParcels('gone1cn'));
    await changeAt(someThursday + day);
    const text = await readFile(join(folder.directory, 'trash', 'waiting.times.json'), 'utf8');
    expect(readTrashAges(JSON.parse(text))).toMatchObject({ lookedAt: someThursday + day });
    for (const odd of [null, 7, {}, { lookedAt: 'x', waited: {} }, { lookedAt: 1, waited: [1] }]) {
      expect(Object.keys(readTrashAges(odd)?.waited ?? {})).toEqual([]);
    }
    expect(readTrashAges({ lookedAt: 1, waited: { a: -1, b: 'x', c: 2 } })?.waited).toEqual({ c: 2 });
  });
});

it('keeps a limited number of backups with a future date, without displacing others', () => {
  const backupOf = (at: number): Backup => ({ name: `${at}`, path: `${at}`, at, isDaily: true });
  const ahead = Array.from({ length: 20 }, (_, index) => backupOf(someThursday + (40 - index) * day));
  const past = Array.from({ length: 3 }, (_, index) => backupOf(someThursday - (index + 1) * day));
  const kept = selectBackupsToKeep([...ahead, ...past], someThursday);
  expect([...kept].filter(({ at }) => at > someThursday)).toHaveLength(8);
  expect([...kept]).toEqual(expect.arrayContaining(past.slice(0, 2)));
});
