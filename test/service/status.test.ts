import { describe, expect, test } from 'vitest';
import { statusParts } from '../../src/parcels/parcel-state.ts';
import { knownSpelling, stageOf, subStatusText } from '../../src/service/status.ts';

/** Returns the full text of a status. */
function statusText(status: string, subStatus: string | null): string {
  const { main, suffix } = statusParts(status, subStatus);
  return `${main}${suffix}`;
}

describe('the status', () => {
  test.each([
    ['INIT', null, 'no-record'],
    ['NO_RECORD', null, 'no-record'],
    ['INFO_RECEIVED', 'INFO_RECEIVED_01', 'announced'],
    ['IN_TRANSIT', 'IN_TRANSIT_03', 'in-transit'],
    ['OUT_FOR_DELIVERY', 'WAITING_DELIVERY_01', 'out-for-delivery'],
    ['WAITING_DELIVERY', 'WAITING_DELIVERY_03', 'out-for-delivery'],
    ['OUT_FOR_DELIVERY', 'WAITING_DELIVERY_02', 'pickup'],
    ['WAITING_DELIVERY', 'WAITING_DELIVERY_02', 'pickup'],
    ['DELIVERY_FAILED', 'DELIVERY_FAILED_02', 'attention'],
    ['ABNORMAL', 'ABNORMAL_02', 'attention'],
    ['DELIVERED', 'DELIVERED_02', 'delivered'],
    ['EXPIRED', null, 'expired'],
    ['TELEPORTED', 'TELEPORTED_09', 'unknown'],
    ['constructor', null, 'unknown'],
  ] as const)('decides the stage: %s with %s is %s', (status, subStatus, stage) => {
    expect(stageOf(status, subStatus)).toBe(stage);
  });

  test('decides the stage by its core, not by its sub-status', () => {
    expect(stageOf('IN_TRANSIT', 'WAITING_DELIVERY_02')).toBe('in-transit');
    expect(stageOf('IN_TRANSIT', 'ABNORMAL_02')).toBe('in-transit');
    expect(statusText('IN_TRANSIT', 'DELIVERED_01')).toBe('In transit; delivered');
  });

  test('is shown as received if it is unknown', () => {
    expect(statusText('TELEPORTED', null)).toBe('TELEPORTED');
    expect(statusText('TELEPORTED', 'ABNORMAL_02')).toBe('TELEPORTED; held by customs');
    expect(subStatusText('TELEPORTED_01')).toBe('TELEPORTED_01');
  });

  test('is followed by its code if that is unknown', () => {
    expect(subStatusText('IN_TRANSIT_99')).toBe('In transit (IN_TRANSIT_99)');
    expect(statusText('IN_TRANSIT', 'IN_TRANSIT_99')).toBe('In transit (IN_TRANSIT_99)');
    expect(statusText('IN_TRANSIT', 'ABNORMAL_99')).toBe('In transit (ABNORMAL_99)');
    expect(statusText('TELEPORTED', 'TELEPORTED_01')).toBe('TELEPORTED (TELEPORTED_01)');
  });

  test('gets its usual spelling only if its code is known', () => {
    expect(knownSpelling('in_transit')).toBe('IN_TRANSIT');
    expect(knownSpelling('In_Transit_09')).toBe('IN_TRANSIT_09');
    expect(knownSpelling('out_for_delivery_01')).toBe('WAITING_DELIVERY_01');
    expect(knownSpelling('OUT_FOR_DELIVERY')).toBe('OUT_FOR_DELIVERY');
    expect(knownSpelling('teleported')).toBe('teleported');
    expect(knownSpelling('constructor')).toBe('constructor');
    expect(knownSpelling(null)).toBeNull();
  });
});
