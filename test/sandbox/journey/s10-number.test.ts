import fc from 'fast-check';
import { expect, it } from 'vitest';
import { s10Number } from '../../../src/sandbox/journey/journey.ts';
import { seededRandom } from '../../../src/sandbox/seeded-random.ts';
import { forAll } from '../../support/for-all.ts';

/** Returns a random source that produces these digits, to test the check digit. */
const randomDigits = (text: string, size: number) => {
  let index = 0;
  return () => {
    const value = Number(text.charAt(index));
    index += 1;
    return (value + 0.5) / size;
  };
};

it.each([
  ['47312482', 'RR473124829CN'],
  ['12345678', 'RR123456785CN'],
  ['10000000', 'RR100000003CN'],
])('completes the serial number %s with its check digit', (serial, number) => {
  expect(s10Number(randomDigits(serial, 10), 'RR', 'CN')).toBe(number);
});

it('creates numbers of the right format from any seed', () =>
  forAll(fc.integer(), (seed) => {
    const random = seededRandom(seed, 'numbers');
    expect(s10Number(random, 'EE', 'TH')).toMatch(/^EE\d{9}TH$/);
  }));
