import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrivalAmong } from '../../src/parcels/delivery.ts';
import { mergeCheckpoints } from '../../src/parcels/merge-checkpoints.ts';
import { applyRecord, mergeHistory } from '../../src/parcels/merge-record.ts';
import type { Parcel, ParcelHistory, RecordSummary } from '../../src/parcels/parcel.ts';
import { recordStage } from '../../src/parcels/parcel-stage.ts';
import { longestStillDays } from '../../src/parcels/stillness.ts';
import type { TrackingRecord } from '../../src/service/record.ts';
import { stageOf } from '../../src/service/status.ts';
import { historyFormat } from '../../src/store/watchlist-format.ts';
import { someThursday } from '../support/fake-clock.ts';
import { checkpointOf, recordOf } from '../support/records.ts';
import { parcelOf } from './parcels.ts';

/** The summary of a record as it is described, field by field and without a thought for time. */
function summaryTheLongWay(
  { record: known, lastEvent }: Parcel,
  {
    checkpoints,
    createTime: _time,
    id: _id,
    receiptTime: _receipt,
    received: _received,
    trackNo: _trackNo,
    ...newer
  }: TrackingRecord,
  history: ParcelHistory,
): RecordSummary {
  const isBlank = checkpoints.length === 0 && stageOf(newer.transitStatus, newer.transitSubStatus) === 'no-record';
  const knewMore = known !== null && recordStage({ record: known, lastEvent }) !== 'no-record';
  const status = known !== null && (newer.transitStatus === null || (isBlank && knewMore)) ? known : newer;
  const news = Object.fromEntries(Object.entries(newer).filter(([, value]) => known === null || value !== null));
  const { arrival: _arrival, longestStillDays: _still, ...merged } = { ...known, ...news } as RecordSummary;
  const summary: RecordSummary = {
    ...merged,
    transitStatus: status.transitStatus,
    transitSubStatus: status.transitSubStatus,
    nextUpdateTime: newer.nextUpdateTime,
    stayDays: newer.stayDays,
  };
  const arrival = arrivalAmong(summary, history.checkpoints);
  const days = longestStillDays(summary, history.checkpoints);
  return {
    ...summary,
    ...(arrival === null || arrival === history.checkpoints[0] ? {} : { arrival }),
    ...(days === null ? {} : { longestStillDays: days }),
  };
}

const events = [
  checkpointOf('Delivered', '2026-11-19T09:00:00Z', { subStatus: 'DELIVERED_01', local: '2026-11-19 10:00:00' }),
  checkpointOf('On the van', '2026-11-19T06:00:00Z', { subStatus: 'WAITING_DELIVERY_01' }),
  checkpointOf('In the shop', '2026-11-17T06:00:00Z', { subStatus: 'WAITING_DELIVERY_02' }),
  checkpointOf('In transit', '2026-11-15T06:00:00Z', { subStatus: 'IN_TRANSIT_01' }),
];

const records: fc.Arbitrary<TrackingRecord> = fc
  .record(
    {
      nextUpdateTime: fc.constantFrom(null, '2026-11-19 12:00:00', '2026-11-19 13:00:00'),
      transitStatus: fc.constantFrom(null, 'IN_TRANSIT', 'WAITING_DELIVERY', 'DELIVERED', 'NO_RECORD'),
      transitSubStatus: fc.constantFrom(null, 'DELIVERED_01', 'WAITING_DELIVERY_02'),
      transitDays: fc.constantFrom(null, 1, 2),
      stayDays: fc.constantFrom(null, 0, 1),
      shipTo: fc.constantFrom(null, 'DE'),
      deliveredTime: fc.constant('2026-11-19 10:00:00'),
      lastMile: fc.constant({ trackNo: 'LM1', courierCode: null, courierName: 'Bote' }),
      checkpoints: fc.integer({ min: 0, max: events.length }).map((later) => events.slice(later)),
    },
    {
      noNullPrototype: true,
      requiredKeys: ['nextUpdateTime', 'transitStatus', 'transitSubStatus', 'transitDays', 'stayDays', 'checkpoints'],
    },
  )
  .map((fields) => recordOf({ ...fields, received: { nextUpdateTime: fields.nextUpdateTime, lists: [[1], [2]] } }));

describe('answers that repeat what is known', () => {
  it('come to what they come to field by field, in the same order of fields', () => {
    fc.assert(
      fc.property(fc.array(records, { minLength: 1, maxLength: 6 }), (answers) => {
        let parcel = parcelOf('A1');
        let history: ParcelHistory = historyFormat.empty;
        for (const record of answers) {
          history = mergeHistory(history, record);
          const expected = summaryTheLongWay(parcel, record, history);
          parcel = applyRecord(parcel, history, record, someThursday);
          expect(JSON.stringify(parcel.record)).toBe(JSON.stringify(expected));
        }
      }),
    );
  });

  it('keep the same list object while it repeats', () => {
    const list = mergeCheckpoints([], events);
    expect(list).toEqual(events);
    expect(mergeCheckpoints(list, events)).toBe(list);
    expect(mergeCheckpoints(list, structuredClone(events))).toBe(list);
  });

  it('keep the received record', () => {
    const first = mergeHistory(historyFormat.empty, recordOf({ received: { courier: { name: 'UPS' } } }));
    expect(mergeHistory(first, recordOf({ received: { courier: { name: 'UPS' } } })).received).toBe(first.received);
  });
});
