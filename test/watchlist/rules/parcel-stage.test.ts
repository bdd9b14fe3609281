import { describe, expect, it, test } from 'vitest';
import { mergeRecord } from '../../../src/watchlist/merge/merge.ts';
import { recordStage } from '../../../src/watchlist/rules/parcel-stage.ts';
import { checkpointOf, recordOf } from '../../support/records.ts';
import { parcelOf } from '../parcels.ts';

const at = '2026-11-18T08:00:00Z';
const event = (subStatus: string | null) => checkpointOf('Scan', at, { subStatus });
const noCore = recordOf({ transitStatus: null, transitSubStatus: null });

describe('recordStage', () => {
  it('is that of the core status where there is one, whatever the newest event says', () => {
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
  ])('is that of the newest event where there are events and no core status: %j is %s', (subStatus, stage) => {
    expect(recordStage({ record: noCore, lastEvent: event(subStatus) })).toBe(stage);
  });

  it("is that of the record's sub-status where the event has none", () => {
    const record = recordOf({ transitStatus: null, transitSubStatus: 'DELIVERED_01' });
    expect(recordStage({ record, lastEvent: event(null) })).toBe('delivered');
  });

  it('is no record without a record, or with one that says nothing at all', () => {
    expect(recordStage({ record: null, lastEvent: null })).toBe('no-record');
    expect(recordStage({ record: noCore, lastEvent: null })).toBe('no-record');
  });

  it('stays when a blank answer follows', () => {
    const empty = { version: 1, checkpoints: [], received: null } as const;
    const first = mergeRecord(parcelOf('RB1CN'), empty, { ...noCore, checkpoints: [event('IN_TRANSIT_01')] }, 0);
    expect(recordStage(first.parcel)).toBe('in-transit');
    const blank = recordOf({ transitStatus: 'NO_RECORD', transitSubStatus: null });
    expect(recordStage(mergeRecord(first.parcel, first.history, blank, 1).parcel)).toBe('in-transit');
  });
});
