import { describe, expect, test } from 'vitest';
import { courierNeeds, missingNeed } from '../../src/service/couriers.ts';

describe('what couriers need', () => {
  test.each([
    ['postnl', 'postal-code'],
    ['PostNL', 'postal-code'],
    ['sfb2c', 'phone-suffix'],
    ['dhl', null],
    ['toString', null],
    [null, null],
  ])('%j needs %j', (code, need) => {
    expect(courierNeeds(code)).toBe(need);
  });

  test('only what was not given is missing', () => {
    const nothing = { postalCode: null, phoneSuffix: null };
    expect(missingNeed('postnl', nothing)).toBe('postal-code');
    expect(missingNeed('postnl', { ...nothing, phoneSuffix: '1234' })).toBe('postal-code');
    expect(missingNeed('postnl', { ...nothing, postalCode: '1234 AB' })).toBeNull();
    expect(missingNeed('jetid', { ...nothing, phoneSuffix: '1234' })).toBeNull();
    expect(missingNeed('dhl', nothing)).toBeNull();
  });
});
