import { expect, it } from 'vitest';
import { courierNamer, courierWords } from '../../src/service/couriers.ts';

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
])('reads the code %s as %s', (code, name) => {
  expect(courierWords(code)).toBe(name);
});

it('names a courier by the list, else by its code', () => {
  const names = { nameEN: 'Yun Express', nameCN: '云途', homePage: null };
  const nameOf = courierNamer([
    { code: 'yun', ...names },
    { code: 'yto', ...names, nameEN: null },
  ]);
  expect(['YUN', 'yto', 'dhl-germany'].map(nameOf)).toEqual(['Yun Express', '云途', 'DHL Germany']);
});
