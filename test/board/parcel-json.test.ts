import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { listJson, parcelJson, showJson } from '../../src/board/parcel-json.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { listContract, showContract } from '../commands/contract.ts';
import { aCheckpoint, ago, aParcel, aPendingParcel, aRecord, minute, now } from './parcels.ts';

const asPrinted = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const context = { serviceClock: assumedServiceClock, now, isPaused: false };
const json = (parcel = aParcel()) => parcelJson(parcel, context);

describe('list --json', () => {
  it("contains the service's address and clock", () => {
    expect(listJson([], null, { ...context, serviceClock: { offsetMinutes: -210, source: 'measured' } })).toEqual({
      version: 1,
      generatedAt: '2026-11-21T12:42:00Z',
      service: { baseUrl: null, clock: { offset: '-03:30', source: 'measured' } },
      parcels: [],
    });
  });
});

describe('additional facts from couriers, in JSON', () => {
  const parcel = aParcel({
    record: aRecord({
      expectedDelivery: { kind: 'window', from: '2026-11-23T08:00:00Z', to: '2026-11-23T11:00:00Z', offset: '+01:00' },
      signedBy: 'Müller',
      courierTrackingLink: 'https://c.example/{trackingNo}',
      courierHomePage: 'https://c.example/',
      orderNo: 'PO-1',
      remark: 'fragile',
      lastMile: { trackNo: '0034', courierCode: 'dhl', courierName: null },
    }),
    lastEvent: aCheckpoint({ translation: 'translated' }),
  });

  it('match the contract', () => {
    const output = listJson([parcel], null, context);
    expect(v.safeParse(listContract, asPrinted(output)).issues).toBeUndefined();
    expect(output.parcels[0]).toMatchObject({
      expectedDelivery: { from: '2026-11-23T08:00:00Z', to: '2026-11-23T11:00:00Z' },
      deliveredAt: null,
      deliveredLocal: null,
      signedBy: 'Müller',
      trackingLink: 'https://c.example/LX123456789CN',
      courierHomePage: 'https://c.example/',
      orderNo: 'PO-1',
      remark: 'fragile',
      lastMile: { trackNo: '0034', courierCode: 'dhl', courierName: null },
      lastEvent: { translation: 'translated' },
    });
  });

  it('give a day without a time, and no expected day after the delivery', () => {
    const expectedDelivery = { kind: 'day', date: '2026-11-23' } as const;
    expect(json(aParcel({ record: aRecord({ expectedDelivery }) })).expectedDelivery).toEqual({
      from: '2026-11-23',
      to: '2026-11-23',
    });
    const record = aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01', expectedDelivery });
    const lastEvent = aCheckpoint({ at: '2026-11-21T08:00:00.000Z', subStatus: 'DELIVERED_01' });
    const delivered = json(aParcel({ record, lastEvent }));
    expect(delivered).toMatchObject({ expectedDelivery: null, deliveredAt: '2026-11-21T08:00:00Z', stayDays: null });
  });
});

describe('a parcel in JSON', () => {
  it('has the next update in UTC, converted from the service clock', () => {
    expect(json(aParcel({ record: aRecord({ nextUpdateTime: '2026-11-21 21:20:00' }) })).nextUpdateAt).toBe(
      '2026-11-21T13:20:00Z',
    );
  });

  it('has null for unknown values', () => {
    expect(json(aPendingParcel())).toMatchObject({
      courierName: null,
      status: null,
      subStatus: null,
      shipFrom: null,
      lastEvent: null,
      nextUpdateAt: null,
      checkedAt: null,
      error: null,
      state: 'pending',
      stage: 'no-record',
    });
  });

  it('is shown as watched, without an error, while the service has no results for it yet', () => {
    const indexing = { since: ago(minute), registeredAgainAt: null };
    expect(json(aPendingParcel({ registration: 'registered', nextPollAt: ago(-minute), indexing }))).toMatchObject({
      state: 'watching',
      stage: 'no-record',
      statusText: 'Registered, waiting for the first result',
      nextPollAt: ago(-minute),
      stale: false,
      unread: false,
      changedAt: null,
      error: null,
    });
  });

  it('says whether a parcel has new changes, and when it changed last', () => {
    const changedAt = ago(minute);
    const unread = { since: changedAt, lastRead: null };
    expect(json(aParcel({ changedAt, unread }))).toMatchObject({ unread: true, changedAt });
    expect(json(aParcel({ changedAt }))).toMatchObject({ unread: false, changedAt });
  });

  it('has no next check while checks are paused, and the same staleness', () => {
    const overdue = aParcel({
      nextPollAt: ago(16 * minute),
      record: aRecord({ nextUpdateTime: '2026-11-21 21:20:00' }),
    });
    expect(json(overdue)).toMatchObject({ nextPollAt: ago(16 * minute), stale: true });
    const paused = parcelJson(overdue, { ...context, isPaused: true });
    expect(paused).toEqual({ ...json(overdue), nextPollAt: null });
    expect(paused).toMatchObject({ stale: true, nextUpdateAt: '2026-11-21T13:20:00Z' });
  });

  it('is shown as archived even if it was rejected', () => {
    expect(json(aParcel({ archivedAt: ago(minute) })).state).toBe('archived');
    expect(json(aParcel({ registration: 'rejected', archivedAt: ago(minute) })).state).toBe('archived');
    expect(json(aParcel({ registration: 'rejected' })).state).toBe('rejected');
    expect(json().state).toBe('watching');
  });

  it('never contains the postal code or phone number', () => {
    const text = JSON.stringify(json(aParcel({ extras: { postalCode: '10115', phoneSuffix: '4711' } })));
    expect(text).not.toContain('10115');
    expect(text).not.toContain('4711');
  });

  it('leaves out unknown fields of a checkpoint', () => {
    const lastEvent = { ...aCheckpoint(), extra: 'from a newer version' };
    expect(json(aParcel({ lastEvent })).lastEvent).not.toHaveProperty('extra');
  });
});

describe('show --json', () => {
  it('contains one parcel with its checkpoints and the record as received', () => {
    const received = { trackNo: 'LX123456789CN', odd: [1, { two: null }] };
    const history = { version: 1, checkpoints: [aCheckpoint(), aCheckpoint({ at: null })], received } as const;
    const output = showJson(aParcel(), history, context);
    expect(v.safeParse(showContract, asPrinted(output)).issues).toBeUndefined();
    expect(output.record).toEqual(received);
    expect(output.checkpoints.map(({ at }) => at)).toEqual(['2026-11-20T20:14:00Z', null]);
  });

  it('has no record before the first response', () => {
    const output = showJson(aPendingParcel(), { version: 1, checkpoints: [], received: null }, context);
    expect(v.safeParse(showContract, asPrinted(output)).issues).toBeUndefined();
    expect(output.record).toBeNull();
  });
});
