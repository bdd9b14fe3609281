import { describe, expect, it } from 'vitest';
import { findMilestones } from '../../../src/board/status/expected-delivery.ts';
import type { ParcelHistory } from '../../../src/parcels/parcel.ts';
import type { Checkpoint } from '../../../src/service/record.ts';
import { aCheckpoint, ago, aParcel, aPendingParcel, aRecord, hour } from '../parcels.ts';

const historyOf = (...checkpoints: readonly Checkpoint[]): ParcelHistory => ({
  version: 1,
  checkpoints,
  received: { expectedDelivery: '2026-11-23' },
});
const event = (hoursAgo: number, subStatus: string | null, detail: string | null = null): Checkpoint =>
  aCheckpoint({ at: ago(hoursAgo * hour), subStatus, detail });
const inStage = (transitStatus: string, transitSubStatus: string | null = null) =>
  aParcel({ record: aRecord({ transitStatus, transitSubStatus }), lastEvent: event(1, transitSubStatus, 'the last') });

describe("a parcel's current state", () => {
  it('is the first report of the delivery, not later scans', () => {
    const delivered = event(3, 'DELIVERED_01');
    const history = historyOf(
      event(1, 'IN_TRANSIT_01', 'proof of delivery'),
      event(2, 'DELIVERED_03'),
      delivered,
      event(5, 'WAITING_DELIVERY_01'),
      event(99, 'DELIVERED_01', 'by mistake'),
    );
    expect(findMilestones(inStage('DELIVERED', 'DELIVERED_01'), history).reached).toEqual({
      checkpoint: delivered,
      wording: 'Delivered',
    });
  });

  it('is the first report that the parcel is ready for pick-up, not a reminder', () => {
    const ready = event(7, 'WAITING_DELIVERY_02');
    const history = historyOf(event(2, 'WAITING_DELIVERY_02', 'reminder'), ready, event(9, 'IN_TRANSIT_02'));
    const { reached, expected } = findMilestones(inStage('WAITING_DELIVERY', 'WAITING_DELIVERY_02'), history);
    expect(reached).toEqual({ checkpoint: ready, wording: 'Ready for pick-up' });
    expect(expected).toBeNull();
  });

  it('is the last event in its own wording if no event reports a delivery', () => {
    const last = event(1, null, 'Shipment completed');
    expect(findMilestones(inStage('DELIVERED'), historyOf(last, event(2, 'IN_TRANSIT_02'))).reached).toEqual({
      checkpoint: last,
      wording: 'Shipment completed',
    });
  });

  it('is the last event in the watchlist if there is no history', () => {
    const parcel = inStage('DELIVERED', 'DELIVERED_02');
    const emptyHistory: ParcelHistory = { version: 1, checkpoints: [], received: null };
    expect(findMilestones(parcel, emptyHistory)).toEqual({
      reached: { checkpoint: parcel.lastEvent, wording: 'Picked up at the collection point' },
      expected: null,
    });
  });

  it.each([aPendingParcel(), aParcel({ registration: 'rejected' })])('is null before there is a record', (parcel) => {
    expect(findMilestones(parcel, historyOf(event(1, 'IN_TRANSIT_01')))).toEqual({ reached: null, expected: null });
  });
});

describe('when a parcel is expected', () => {
  it.each(['IN_TRANSIT', 'OUT_FOR_DELIVERY', 'ABNORMAL', 'INFO_RECEIVED', 'TELEPORTED'])(
    'is known for %s',
    (status) => {
      expect(findMilestones(inStage(status), historyOf()).expected).toEqual({ kind: 'day', date: '2026-11-23' });
    },
  );

  it('is null for arrived, lost or archived parcels', () => {
    expect(findMilestones(inStage('DELIVERED'), historyOf()).expected).toBeNull();
    expect(findMilestones(inStage('EXPIRED'), historyOf()).expected).toBeNull();
    expect(findMilestones({ ...inStage('IN_TRANSIT'), archivedAt: ago(hour) }, historyOf()).expected).toBeNull();
  });
});
