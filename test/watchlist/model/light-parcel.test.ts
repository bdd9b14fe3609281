import { describe, expect, it } from 'vitest';
import { lastingText } from '../../../src/board/filter/search-text.ts';
import { stageCounts } from '../../../src/board/header/header-counts.ts';
import { columnNeeds } from '../../../src/board/list/column-needs.ts';
import { listColumns } from '../../../src/board/list/list-columns.ts';
import { listRow } from '../../../src/board/list/list-row.ts';
import { sorted, sortOrders } from '../../../src/board/list/sort-orders.ts';
import { defaultPollingPolicy } from '../../../src/polling/schedule/policy.ts';
import { planForOtherClock } from '../../../src/polling/schedule/schedule.ts';
import { assumedServiceClock } from '../../../src/service/clock/service-clock.ts';
import { isLight, lightOf, packLight, unpackLight } from '../../../src/watchlist/model/light-parcel.ts';
import type { Parcel } from '../../../src/watchlist/model/parcel.ts';
import { waitsUntil } from '../../../src/watchlist/rules/waiting.ts';
import { createMemoryStore } from '../../../src/watchlist/store/memory-store.ts';
import { aBoard, aCheckpoint, aParcel, aPendingParcel, aRecord, berlin, now } from '../../board/parcels.ts';

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
const all: readonly Parcel[] = [...aBoard(), aPendingParcel({ id: 'parcel-8' }), expectedByDay, full];
const stored = (parcel: Parcel): Parcel => unpackLight(parcel.id, JSON.parse(JSON.stringify(packLight(parcel))));

describe('a light parcel', () => {
  const viewing = { now, zone: berlin };

  it('reads like the whole one in rows, columns, counts, filter, orders and plans', () => {
    const light = all.map(stored);
    const columns = listColumns(160, columnNeeds(all, viewing));
    expect(columnNeeds(light, viewing)).toEqual(columnNeeds(all, viewing));
    expect(stageCounts({ parcels: light, ...viewing })).toEqual(stageCounts({ parcels: all, ...viewing }));
    for (const order of sortOrders) {
      const ids = (parcels: readonly Parcel[]): readonly string[] =>
        sorted(parcels, { order, isReversed: false }, now).map(({ id }) => id);
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
      expect(lastingText(one)).toBe(lastingText(whole));
      expect(waitsUntil(one)).toBe(waitsUntil(whole));
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
    expect(Object.keys(packLight(aPendingParcel({ nextPollAt: null })))).toEqual(['trackNo', 'addedAt']);
  });

  it('is made of whatever somebody has put into a store', () => {
    const light = unpackLight('a', {
      trackNo: 'RB1\u001b[31mCN',
      tags: [1, 'ok', '\u202e'],
      lastEvent: 'none',
      record: { courierNameEN: 5, expectedDelivery: { kind: 'window' }, pieces: 'two' },
      error: null,
      registration: 'perhaps',
    });
    expect(light.trackNo).not.toContain('\u001b');
    expect(light).toMatchObject({ tags: ['ok'], registration: 'pending', label: null, checkpointCount: 0 });
    expect(light.record).not.toHaveProperty('expectedDelivery');
    expect(light.record?.courierNameEN).toBeNull();
  });

  it('has no field for what may be absent and says nothing', () => {
    const empty = { trackNo: 'RB1', historyId: '', restoredAt: 5, unread: {}, autoArchived: 1 };
    const light = unpackLight('a', { ...empty, lastEvent: { translation: '' }, record: { remark: '', pieces: 'two' } });
    for (const name of ['historyId', 'restoredAt', 'unread', 'autoArchived', 'merchant', 'indexing', 'changedAt'])
      expect(light).not.toHaveProperty(name);
    expect(light.lastEvent).not.toHaveProperty('translation');
    for (const name of ['remark', 'pieces', 'arrival', 'lastMile']) expect(light.record).not.toHaveProperty(name);
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
