import { describe, expect, it, test } from 'vitest';
import {
  courierNamer,
  courierNeeds,
  missingNeed,
  nameFromCode,
  shortNameOfCourier,
} from '../../src/service/couriers.ts';

describe("couriers' needs", () => {
  test.each([
    ['postnl', 'postal-code'],
    ['PostNL', 'postal-code'],
    ['sfb2c', 'phone-suffix'],
    ['dhl', null],
    ['toString', null],
    [null, null],
  ])('are known for %j: %j', (code, need) => expect(courierNeeds(code)).toBe(need));

  test('are reported only if they were not given', () => {
    const nothing = { postalCode: null, phoneSuffix: null };
    expect(missingNeed('postnl', nothing)).toBe('postal-code');
    expect(missingNeed('postnl', { ...nothing, phoneSuffix: '1234' })).toBe('postal-code');
    expect(missingNeed('postnl', { ...nothing, postalCode: '1234 AB' })).toBeNull();
    expect(missingNeed('jetid', { ...nothing, phoneSuffix: '1234' })).toBeNull();
    expect(missingNeed('dhl', nothing)).toBeNull();
  });
});

it.each([
  ['ups', 'UPS'],
  ['dhl-germany', 'DHL Germany'],
  ['china-post', 'China Post'],
  ['royal_mail', 'Royal Mail'],
  ['4px', '4PX'],
  ['fedex', 'FedEx'],
  ['la-poste', 'La Poste'],
  ['gls-it', 'GLS It'],
  ['-', '-'],
  ['菜鸟', '菜鸟'],
])('turns the code %s into the name %s', (code, name) => expect(nameFromCode(code)).toBe(name));

it("takes a courier's name from the list, or derives it from the code", () => {
  const names = { nameEN: 'Yun Express', nameCN: '云途', homePage: null };
  const nameOf = courierNamer([
    { code: 'yun', ...names },
    { code: 'yto', ...names, nameEN: null },
  ]);
  expect(['YUN', 'yto', 'dhl-germany'].map(nameOf)).toEqual(['Yun Express', '云途', 'DHL Germany']);
});

it.each([
  ['DHL Germany', 'DHL'],
  ['DHL', 'DHL'],
  ['Hermes Germany', 'Hermes'],
  ['GLS (Italy)', 'GLS'],
  ['Deutsche Post', 'D. Post'],
  ['J&T Express', 'J&T'],
  ['China Post', 'China Post'],
  ['Royal Mail', 'Royal Mail'],
  ['菜鸟', '菜鸟'],
])('shortens %s to %s', (name, short) => expect(shortNameOfCourier(name)).toBe(short));
