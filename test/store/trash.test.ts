import { mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayMs as day } from '../../src/lib/clock.ts';
import { isDueForArchiving } from '../../src/parcels/delivery.ts';
import { editParcel } from '../../src/parcels/parcel-factory.ts';
import { archiveDays, inStatus } from '../board/parcels.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { createFakeClock, someThursday } from '../support/fake-clock.ts';
import { checkpointOf } from '../support/records.ts';
import { addParcels, createStoreFolder, failureOf, removeParcels, type StoreFolder, trackNos } from './store-folder.ts';

const checkpoints = [checkpointOf('Arrived', '2026-11-18T08:00:00Z')];
let folder: StoreFolder;
beforeEach(async () => {
  folder = await createStoreFolder();
});
afterEach(() => folder.remove());

/** Opens a store with two parcels. The first has a history. */
async function openWithTwo() {
  const clock = createFakeClock();
  const store = folder.open({ clock });
  await store.update(addParcels(parcelOf('RB1CN', { label: 'Lamp' }), parcelOf('RB2CN')));
  await store.updateHistory('rb1cn', (history) => ({ ...history, checkpoints }));
  return { clock, store };
}

/** Changes something every other day and on the last one, each time as a newly started program. */
async function changeOften(from: number, until: number): Promise<void> {
  const changeAt = async (at: number): Promise<void> => {
    await folder.open({ clock: createFakeClock(at) }).update(addParcels(parcelOf(`RB${at}CN`)));
  };
  for (let at = from + 1; at < until; at += 2 * day) await changeAt(at);
  await changeAt(until);
}

describe('a removed parcel', () => {
  it('stays in the trash with its history, and can be restored unchanged', async () => {
    const { clock, store } = await openWithTwo();
    const [lamp] = (await store.read()).parcels;
    await store.update(removeParcels('rb1cn'));
    expect((await store.readHistory('rb1cn')).checkpoints).toEqual([]);
    expect(await store.recovery.trashed()).toEqual([{ parcel: lamp, removedAt: someThursday }]);
    expect(await folder.open({ clock }).recovery.restoreParcel('rb1cn')).toEqual(lamp);
    expect((await store.read()).parcels).toContainEqual(lamp);
    expect((await store.readHistory('rb1cn')).checkpoints).toEqual(checkpoints);
    expect(await store.recovery.trashed()).toEqual([]);
  });

  it.each([
    ['DELIVERED', 'DELIVERED_01'],
    ['ABNORMAL', 'ABNORMAL_04'],
  ])('is not archived automatically after it is restored, even if it ended long ago: %s', async (...status) => {
    const clock = createFakeClock();
    const store = folder.open({ clock });
    const delivered = {
      ...inStatus('lamp', ...status, 90 * day),
      addedAt: '2026-01-01T00:00:00.000Z',
    };
    await store.update(addParcels(delivered));
    await store.update(removeParcels('lamp'));
    const back = await store.recovery.restoreParcel('lamp');
    expect(isDueForArchiving(delivered, archiveDays(30), clock.now())).toBe(true);
    expect(isDueForArchiving(back, archiveDays(30), clock.now())).toBe(false);
    expect((await store.read()).parcels).toEqual([back]);
  });

  it('gets its history back even if the user puts it back into the index by hand', async () => {
    const { store } = await openWithTwo();
    const { parcels } = await store.read();
    await store.update(removeParcels('rb1cn', 'rb2cn'));
    await store.update((current) => ({ ...current, parcels }));
    expect((await store.readHistory('rb1cn')).checkpoints).toEqual(checkpoints);
  });

  it('is complete even if the program was killed between writing the index and the history', async () => {
    const { store } = await openWithTwo();
    await store.update(removeParcels('rb1cn'));
    const [trash, history] = [join(folder.directory, 'trash'), join(folder.directory, 'history')];
    await mkdir(history, { recursive: true });
    await rename(join(trash, 'rb1cn.json'), join(history, 'rb1cn.json'));
    await store.recovery.restoreParcel('rb1cn');
    expect((await store.readHistory('rb1cn')).checkpoints).toEqual(checkpoints);
  });

  it('is permanently deleted with its history after thirty days, but not before', async () => {
    const { clock, store } = await openWithTwo();
    await store.update(removeParcels('rb1cn'));
    await changeOften(someThursday, someThursday + 20 * day);
    clock.jumpTo(someThursday + 20 * day);
    await store.update(removeParcels('rb2cn'));
    await changeOften(someThursday + 20 * day, someThursday + 29 * day);
    expect((await store.recovery.trashed()).map(({ parcel }) => parcel.trackNo)).toEqual(['RB2CN', 'RB1CN']);
    await changeOften(someThursday + 29 * day, someThursday + 35 * day);
    expect((await store.recovery.trashed()).map(({ parcel }) => parcel.trackNo)).toEqual(['RB2CN']);
    expect((await readdir(join(folder.directory, 'trash'))).sort()).toEqual([
      expect.stringMatching(/^removed\./),
      'waiting.times.json',
    ]);
  });

  it('is also deleted by a program that stays open', async () => {
    const { clock, store } = await openWithTwo();
    await store.update(removeParcels('rb1cn'));
    for (let days = 1; days <= 35; days += 1) {
      clock.jumpTo(someThursday + days * day);
      await store.update(addParcels(parcelOf(`RB${days + 10}CN`)));
    }
    expect(await store.recovery.trashed()).toEqual([]);
  });

  it('leaves no temp file behind if the process was killed', async () => {
    const { store } = await openWithTwo();
    await store.update(removeParcels('rb1cn'));
    const trash = join(folder.directory, 'trash');
    const leftOver = join(trash, '.removed.20261119T120000Z.0abc1def.json.0abc1def0abc1def.tmp');
    await writeFile(leftOver, '{');
    await utimes(leftOver, someThursday / 1000, someThursday / 1000);
    await folder.open({ clock: createFakeClock(someThursday + day) }).update(addParcels(parcelOf('RB3CN')));
    expect((await readdir(trash)).sort()).toEqual([
      'rb1cn.json',
      expect.stringMatching(/^removed\./),
      'waiting.times.json',
    ]);
  });

  it('is not restored if its number is on the list, or if it is not in the trash', async () => {
    const { store } = await openWithTwo();
    await store.update(removeParcels('rb1cn'));
    await store.update(addParcels(parcelOf('RB1CN', { id: 'again' })));
    expect((await failureOf(store.recovery.restoreParcel('rb1cn'))).message).toMatch(/already on the list/);
    expect((await failureOf(store.recovery.restoreParcel('nobody'))).message).toMatch(/no longer in the trash/);
    expect(trackNos(await store.read())).toEqual(['RB2CN', 'RB1CN']);
  });

  it("never shows a different courier's events, no matter when the program is killed", async () => {
    const { store } = await openWithTwo();
    const before = await store.read();
    const known = { version: 1 as const, parcels: before.parcels.map((parcel) => ({ ...parcel, courierCode: 'dhl' })) };
    await store.update(() => known);
    const edited = known.parcels.map((parcel) => editParcel(parcel, { courierCode: 'ups' }, someThursday));
    await store.update((current) => ({ ...current, parcels: edited }));
    const historyId = edited[0]?.historyId ?? '';
    expect(historyId).toMatch(/^rb1cn-/);
    expect((await store.readHistory(historyId)).checkpoints).toEqual([]);
    expect(await store.recovery.trashed()).toEqual([]);
    await store.update(() => known);
    expect((await store.readHistory('rb1cn')).checkpoints).toEqual(checkpoints);
  });
});
