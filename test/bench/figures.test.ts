import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forAll } from '../support/for-all.ts';
import { compare, quantile } from './figures.ts';

describe('a quantile', () => {
  test('is interpolated between two samples if necessary', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([1, 2, 3, 4, 5], 0.25)).toBe(2);
    expect(quantile([0, 10], 0.95)).toBe(9.5);
  });

  test('of one sample is the sample, and of no samples is an error', () => {
    expect(quantile([7], 0.95)).toBe(7);
    expect(() => quantile([], 0.5)).toThrow(RangeError);
  });

  test('has as many samples below it as it says', () => {
    const samples = fc.uniqueArray(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 50 });
    forAll(samples, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      const below = values.filter((value) => value < quantile(values, share)).length;
      expect(below).toBeLessThanOrEqual(Math.ceil(share * (values.length - 1)));
      expect(below).toBeGreaterThanOrEqual(Math.floor(share * (values.length - 1)) - 1);
    });
  });
});

test('programs are compared round by round, so that one slow round of both does not count', () => {
  const { ratio, ours, other } = compare([20, 200, 22], [10, 100, 11]);
  expect(ratio).toEqual({ median: 2, lower: 2, upper: 2, samples: 3 });
  expect([ours, other]).toEqual([22, 11]);
});

test('figures that were not measured in turn are not compared', () =>
  expect(() => compare([1, 2], [1])).toThrow('in turn'));
