import { describe, expect, it } from 'vitest';
import { searchText } from '../../src/board/filter.ts';
import { stageCounts } from '../../src/board/header-parts.ts';
import { listColumns } from '../../src/board/list/list-columns.ts';
import { columnNeeds, listRow } from '../../src/board/list/list-row.ts';
import { sorted, sortOrders } from '../../src/board/list/sort-orders.ts';
import { cleanText } from '../../src/lib/clean-text.ts';
import { daysSinceClosing } from '../../src/parcels/delivery.ts';
import { isLight, lightOf, packLight, readLight } from '../../src/parcels/light-parcel.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { waitsUntil } from '../../src/parcels/parcel-stage.ts';
import { hold } from '../../src/polling/schedule/due-queue.ts';
import { defaultPollingPolicy } from '../../src/polling/schedule/policy.ts';
import { planForOtherClock } from '../../src/polling/schedule/schedule.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { aBoard, aCheckpoint, aParcel, aPendingParcel, aRecord, berlin, now } from '../board/parcels.ts';

/** With something in every field. */
const full = aParcel({
  historyId: 'parcel-1-b',
  label: 'Lamp',
  tags: ['gift', 'home'],
  courierPinned: true,
  extras: { postalCode: '10115', phoneSuffix: '1234' },
  merchant: { orderNo: '4711', country: 'DE', customerEmail: 'ann@example.com', remark: 'fragile', custom1: 'shelf 5' },
  indexing: { since: '2026-11-20T10:00:00.000Z', registeredAgainAt: '2026-11-20T11:00:00.000Z' },
  autoArchived: true,
  restoredAt: '2026-11-20T10:00:00.000Z',
  changedAt: '2026-11-20T10:00:00.000Z',
  unread: { since: '2026-11-20T10:00:00.000Z', lastRead: aCheckpoint() },
  error: { kind: 'unreachable', code: 'A1', message: 'Not reached.', traceId: 't-1' },
  lastEvent: aCheckpoint({ certain: false, translation: 'Angekommen', repeats: 3 }),
  record: aRecord({
    courierHomePage: 'https://example.com/',
    courierTrackingLink: 'https://example.com/t',
    lastMile: { trackNo: 'DE1', courierCode: 'dhl', courierName: 'DHL' },
    expectedDelivery: { kind: 'window', from: '2026-11-22T08:00:00Z', to: null, offset: '+01:00' },
    arrival: aCheckpoint({ subStatus: 'WAITING_DELIVERY_02' }),
    longestStillDays: 3,
    pieces: 2,
    weight: '2 kg',
    signedBy: 'Ann',
    remark: 'at the door',
  }),
});
const expectedByDay = aParcel({
  id: 'parcel-9',
  record: aRecord({ expectedDelivery: { kind: 'day', date: '2026-11-23' } }),
});
const lost = aParcel({
  id: 'parcel-10',
  lastEvent: null,
  record: aRecord({ transitStatus: 'ABNORMAL', transitSubStatus: 'ABNORMAL_03' }),
  checkedAt: '2026-11-20T10:00:00.000Z',
  nextPollAt: '2026-11-21T09:00:00.000Z',
  endedAt: '2026-10-01T10:00:00.000Z',
  plannedFor: '2026-11-20T10:00:30.000Z',
  unconfirmedSince: '2026-11-20T09:00:00.000Z',
});
const held = aParcel({ id: 'parcel-11', plannedFor: '2026-11-20T10:00:30.000Z', fruitlessPolls: 0 });
const all: readonly Parcel[] = [...aBoard(), aPendingParcel({ id: 'parcel-8' }), expectedByDay, lost, held, full];
const kept = (id: string, packed: unknown): Parcel | null => {
  const line = JSON.stringify(packed);
  return readLight(id, JSON.parse(line), line);
};
const stored = (parcel: Parcel): Parcel => kept(parcel.id, packLight(parcel)) ?? expect.fail();

describe('a light parcel', () => {
  const viewing = { now, zone: berlin };

  it('reads like the whole one in rows, columns, counts, filter, orders and plans', () => {
    const light = all.map(stored);
    const columns = listColumns(160, columnNeeds(all, viewing));
    expect(columnNeeds(light, viewing)).toEqual(columnNeeds(all, viewing));
    expect(stageCounts({ parcels: light, ...viewing })).toEqual(stageCounts({ parcels: all, ...viewing }));
    for (const order of sortOrders) {
      const ids = (parcels: readonly Parcel[]): readonly string[] =>
        sorted(parcels, { order, isReversed: false }, viewing).map(({ id }) => id);
      expect(ids(light)).toEqual(ids(all));
    }
    const planning = {
      now,
      serviceClock: assumedServiceClock,
      policy: defaultPollingPolicy,
      chance: 0,
      canRegister: true,
    };
    for (const [index, whole] of all.entries()) {
      const one = light[index] as Parcel;
      const row = (parcel: Parcel): unknown => listRow(parcel, { ...viewing, columns, checking: false });
      expect(row(one)).toEqual(row(whole));
      expect(searchText(one, viewing)).toBe(searchText(whole, viewing));
      expect(waitsUntil(one)).toBe(waitsUntil(whole));
      const due = Date.parse('2026-11-21T09:00:00Z');
      expect(hold(one, due, defaultPollingPolicy)).toBe(hold(whole, due, defaultPollingPolicy));
      expect(daysSinceClosing(one, now)).toBe(daysSinceClosing(whole, now));
      expect(one.unconfirmedSince).toBe(whole.unconfirmedSince);
      expect(planForOtherClock(one, planning)).toEqual(planForOtherClock(whole, planning));
    }
  });

  it('is the same one whether it was kept by a store or not, and is light once', () => {
    for (const parcel of all) expect(lightOf(parcel)).toEqual(stored(parcel));
    const light = lightOf(full);
    expect([isLight(light), isLight(full), lightOf(light)]).toEqual([true, false, light]);
  });

  it('leaves out what only details show, and what is empty', () => {
    const packed = JSON.stringify(packLight(full));
    expect(packed).not.toMatch(/ann@example|shelf 5|https:|repeats/);
    const { addedAt, trackNo } = aPendingParcel();
    const pending = aPendingParcel({ nextPollAt: null });
    expect(packLight(pending)).toEqual([trackNo, null, null, addedAt, null, null, null, 0, false, 0, null, null, 0]);
  });

  it('is made of whatever somebody has put into a store', () => {
    const hostile = packLight(full).map((_, place) => {
      if (place === 0) return 'RB1\u001b[31mCN';
      if (place === 10) return [{}, 5, '\u202e', ...Array.from({ length: 30 }, () => ['window'])];
      return place === 20 ? [1, 'ok', '\u202e'] : { toString: 1 };
    });
    const light = kept('a', hostile) ?? expect.fail();
    expect(light.trackNo).toBe('RB1CN');
    expect(light).toMatchObject({ tags: ['ok'], registration: 'pending', label: null, checkpointCount: 0 });
    expect(light.record).toMatchObject({
      courierNameEN: null,
      transitDays: null,
      arrival: { at: 'window', local: null },
    });
    for (const nothing of [{ trackNo: 'RB1' }, [], [5], 'RB1', null, 0]) expect(kept('a', nothing)).toBeNull();
    for (const text of ['two  blanks', ' before', 'behind ', 'a\tb', '\u202eb', 'x'.repeat(3000)])
      expect(stored({ ...full, label: text })).toEqual(lightOf({ ...full, label: cleanText(text) }));
  });

  it('has no field for what may be absent and says nothing', () => {
    const light =
      kept('a', [
        'RB1',
        ...packLight(full)
          .slice(1)
          .map(() => ''),
        '',
      ]) ?? expect.fail();
    for (const name of [
      'historyId',
      'restoredAt',
      'unread',
      'autoArchived',
      'merchant',
      'indexing',
      'changedAt',
      'endedAt',
    ])
      expect(light).not.toHaveProperty(name);
    const bare = kept('a', ['RB1', ...Array.from({ length: 9 }), Array.from({ length: 25 }), ['x']]) ?? expect.fail();
    expect(bare.lastEvent).not.toHaveProperty('translation');
    for (const name of ['remark', 'pieces', 'arrival', 'lastMile']) expect(bare.record).not.toHaveProperty(name);
  });

  it('is refused by whoever writes', async () => {
    const store = createMemoryStore({ version: 1, parcels: [full] });
    const { revision } = await store.read();
    // @ts-expect-error: the compiler knows, too
    const write = store.write([{ id: full.id, parcel: lightOf(full) }], revision, now);
    await expect(write).rejects.toThrow('Only a part of LX123456789CN has been read');
    expect(await store.whole([full.id, 'nobody'])).toEqual([full]);
  });
});
