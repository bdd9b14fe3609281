import { describe, expect, test } from 'vitest';
import { stageOf, statusText, subStatusText, subStatusTexts } from '../../../src/service/record/status.ts';

describe('statuses', () => {
  test('there are 28 sub-statuses', () => {
    expect(Object.keys(subStatusTexts)).toHaveLength(28);
  });

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
  ] as const)('%s with %s is %s', (status, subStatus, stage) => {
    expect(stageOf(status, subStatus)).toBe(stage);
  });

  test('the core status decides, whatever sub-status stands beside it', () => {
    expect(stageOf('IN_TRANSIT', 'WAITING_DELIVERY_02')).toBe('in-transit');
    expect(statusText('IN_TRANSIT', 'DELIVERED_01')).toBe('In transit');
  });

  test('both spellings of out for delivery read alike', () => {
    expect(statusText('OUT_FOR_DELIVERY', 'WAITING_DELIVERY_01')).toBe('Out for delivery');
    expect(statusText('WAITING_DELIVERY', 'WAITING_DELIVERY_01')).toBe('Out for delivery');
  });

  test('what is not known is shown as the service wrote it', () => {
    expect(statusText('TELEPORTED', null)).toBe('TELEPORTED');
    expect(subStatusText('IN_TRANSIT_99')).toBe('IN_TRANSIT_99');
    expect(statusText('IN_TRANSIT', 'IN_TRANSIT_99')).toBe('IN_TRANSIT_99');
  });
});
