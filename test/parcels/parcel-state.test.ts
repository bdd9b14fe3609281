import { describe, expect, it, test } from 'vitest';
import type { JsonValue } from '../../src/lib/json.ts';
import { mergeRecord } from '../../src/parcels/merge-record.ts';
import { hasEnded, isClosed, recordStage, shownStage } from '../../src/parcels/parcel-state.ts';
import { couriers } from '../../src/sandbox/couriers.ts';
import { instantOf } from '../../src/sandbox/world/registration.ts';
import { courierNeeds } from '../../src/service/couriers.ts';
import { decodeRecord } from '../../src/service/decode-record.ts';
import { registerParcel, registrationRequest, testAccount } from '../sandbox/support.ts';
import { checkpointOf, recordOf } from '../support/records.ts';
import { parcelOf } from './parcels.ts';

const at = '2026-11-18T08:00:00Z';
const event = (subStatus: string | null) => checkpointOf('Scan', at, { subStatus });
const withoutStatus = recordOf({ transitStatus: null, transitSubStatus: null });

describe('recordStage', () => {
  it('follows the core status if there is one', () => {
    const record = recordOf({ transitStatus: 'ABNORMAL', transitSubStatus: null });
    expect(recordStage({ record, lastEvent: event('DELIVERED_01') })).toBe('attention');
    const nothing = recordOf({ transitStatus: 'NO_RECORD', transitSubStatus: null });
    expect(recordStage({ record: nothing, lastEvent: event('IN_TRANSIT_01') })).toBe('no-record');
  });

  test.each([
    ['INFO_RECEIVED_01', 'announced'],
    ['IN_TRANSIT_03', 'in-transit'],
    ['IN_TRANSIT_99', 'in-transit'],
    ['WAITING_DELIVERY_01', 'out-for-delivery'],
    ['WAITING_DELIVERY_02', 'pickup'],
    ['DELIVERY_FAILED_02', 'attention'],
    ['ABNORMAL_02', 'attention'],
    ['DELIVERED_04', 'delivered'],
    ['TELEPORTED_09', 'unknown'],
    ['', 'unknown'],
    [null, 'unknown'],
  ])('follows the newest event if there is no core status: %j is %s', (subStatus, stage) => {
    expect(recordStage({ record: withoutStatus, lastEvent: event(subStatus) })).toBe(stage);
  });

  it("follows the record's sub-status if the event has none", () => {
    const record = recordOf({ transitStatus: null, transitSubStatus: 'DELIVERED_01' });
    expect(recordStage({ record, lastEvent: event(null) })).toBe('delivered');
  });

  it('is no-record if there is no record or an empty one', () => {
    expect(recordStage({ record: null, lastEvent: null })).toBe('no-record');
    expect(recordStage({ record: withoutStatus, lastEvent: null })).toBe('no-record');
  });
});

describe('the end of a journey with a problem', () => {
  const withStatus = (transitStatus: string | null, transitSubStatus: string | null, lastEvent: string | null = null) =>
    parcelOf('RB1CN', {
      registration: 'registered',
      record: recordOf({ transitStatus, transitSubStatus }),
      lastEvent: event(lastEvent),
    });

  test.each([
    ['lost or destroyed', withStatus('ABNORMAL', 'ABNORMAL_03')],
    ['cancelled', withStatus('ABNORMAL', 'ABNORMAL_04', 'IN_TRANSIT_01')],
    ['back with the sender', withStatus('ABNORMAL', 'ABNORMAL_06', 'ABNORMAL_06')],
    ['cancelled according to its newest event only', withStatus(null, null, 'ABNORMAL_04')],
    [
      'delivered according to its newest event only',
      withStatus('DELIVERY_FAILED', 'DELIVERY_FAILED_04', 'DELIVERED_01'),
    ],
  ])('closes the parcel once the user has seen it: %s', (_what, parcel) => {
    const unread = { ...parcel, unread: { since: at, lastRead: null } };
    expect([parcel, unread].map(hasEnded)).toEqual([true, true]);
    expect([parcel, unread].map(shownStage)).toEqual(['closed', 'attention']);
  });

  test.each([
    ['not collected', withStatus('ABNORMAL', 'ABNORMAL_01')],
    ['held by customs', withStatus('ABNORMAL', 'ABNORMAL_02')],
    ['refused', withStatus('ABNORMAL', 'ABNORMAL_05')],
    ['on its way back', withStatus('ABNORMAL', 'ABNORMAL_07')],
    ['found again', withStatus('ABNORMAL', 'ABNORMAL_03', 'IN_TRANSIT_02')],
    ['out for delivery again', withStatus('ABNORMAL', 'ABNORMAL_06', 'WAITING_DELIVERY_01')],
    ['with a different core status', withStatus('DELIVERY_FAILED', 'ABNORMAL_06')],
    ['without details', withStatus('ABNORMAL', null, 'ABNORMAL_04')],
  ])('is not assumed while something can still be done: %s', (_what, parcel) => {
    expect(hasEnded(parcel)).toBe(false);
    expect(shownStage(parcel)).toBe('attention');
  });

  it('is recognised in every simulated journey that is neither delivered nor expired', () => {
    const account = testAccount(7, 1);
    const free = couriers.filter(({ code }) => courierNeeds(code) === null);
    const shown = new Map<string, number>();
    for (let index = 0; index < 300; index += 1) {
      const courier = free[index % free.length]?.code ?? 'ups';
      const life = registerParcel(account, registrationRequest(`RX${String(index).padStart(9, '0')}ZZ`, courier));
      const now = instantOf(life.timeline, life.journey.endsAt) + 86_400_000;
      const record = decodeRecord(account.recordAt(life, now) as unknown as JsonValue, now);
      if (record === null) throw new Error('The sandbox sent no record.');
      const empty = { version: 1, checkpoints: [], received: null } as const;
      const { parcel } = mergeRecord(parcelOf(record.trackNo, { registration: 'registered' }), empty, record, now);
      expect(hasEnded(parcel), `${record.transitStatus} ${record.transitSubStatus}`).toBe(true);
      const stage = shownStage(parcel);
      shown.set(stage, (shown.get(stage) ?? 0) + 1);
    }
    expect([...shown.keys()].sort()).toEqual(['closed', 'delivered', 'expired']);
  });

  it('is not assumed for a rejected number', () => {
    expect(isClosed({ ...withStatus('ABNORMAL', 'ABNORMAL_04'), registration: 'rejected' })).toBe(false);
  });
});
