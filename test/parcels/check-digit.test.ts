import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unverifiedKind } from '../../src/parcels/check-digit.ts';
import { s10Number } from '../../src/sandbox/journey/journey.ts';
import { forAll } from '../support/for-all.ts';
import { upsNumber } from '../support/tracking-numbers.ts';

const random = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 16807 + 11) % 2147483647;
    return state / 2147483647;
  };
};

describe('a check digit', () => {
  it.each([
    ['RB123456785GB', null],
    ['RR473124829CN', null],
    ['1Z999AA10123456784', null],
    ['9400111899223818218407', null],
    ['420101199400111899223818218407', null],
    ['03071790000523483741', 'usps'],
    ['986578788855', 'fedex'],
    ['477179081230', 'fedex'],
    ['568283610012000', 'fedex'],
  ])('is correct in %s', (trackNo, courierCode) => expect(unverifiedKind(trackNo, courierCode)).toBeNull());

  it.each([
    ['RB123456786GB', null, /S10/],
    ['RB100000045CN', 'yanwen', /S10/],
    ['1Z999AA10123456785', null, /UPS/],
    ['9400111899223818218408', null, /USPS/],
    ['986578788856', 'fedex', /FedEx Express/],
    ['568283610012001', 'fedex-ground', /FedEx Ground/],
    ['03071790000523483742', 'usps', /USPS/],
  ])('is wrong in %s', (trackNo, courierCode, kind) => {
    expect(unverifiedKind(trackNo, courierCode)).toMatch(kind);
  });

  it.each([
    // Many couriers use twelve digits.
    ['986578788856', null],
    ['986578788856', 'dhl'],
    // YP is not a country, but marks a Yanwen number.
    ['UJ123456786YP', 'yanwen'],
    ['00340434161234567890', null],
    ['JD014600012345678901', null],
    ['RB12345', null],
  ])('is not verified in %s for the courier %s', (trackNo, courierCode) =>
    expect(unverifiedKind(trackNo, courierCode)).toBeNull(),
  );

  it('reveals a mistyped digit in a postal number, unless two remainders share the check digit', () =>
    forAll(fc.integer({ min: 1 }), fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 9 }), (seed, at, by) => {
      const number = s10Number(random(seed), 'RB', 'DE');
      expect(unverifiedKind(number, null)).toBeNull();
      const wrong = String((Number(number.charAt(at)) + by) % 10);
      const mistyped = number.slice(0, at) + wrong + number.slice(at + 1);
      // The remainders 0 and 6 share the check digit 5.
      const isShared = unverifiedKind(mistyped, null) === null;
      if (isShared) expect(number.charAt(10)).toBe('5');
    }));

  it('reveals a mistyped digit in a UPS number', () =>
    forAll(fc.integer({ min: 1 }), fc.integer({ min: 8, max: 17 }), fc.integer({ min: 1, max: 9 }), (seed, at, by) => {
      const number = upsNumber(random(seed));
      expect(unverifiedKind(number, null)).toBeNull();
      const mistyped = number.slice(0, at) + String((Number(number.charAt(at)) + by) % 10) + number.slice(at + 1);
      // Doubled digits that differ by 5 have the same sum.
      const isSame = by === 5 && at % 2 === 1 && at < 17;
      expect(unverifiedKind(mistyped, null)).toBe(isSame ? null : 'a UPS number');
    }));
});
