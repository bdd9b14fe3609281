import { describe, expect, test } from 'vitest';
import { skewSentence } from '../../../src/service/clock/clock-skew.ts';

const minute = 60_000;

describe('a clock that is wrong', () => {
  test.each([
    [3 * minute, /is 3 minutes behind/],
    [-3 * minute, /is 3 minutes ahead of/],
    [5 * 60 * minute, /is 5 hours behind/],
    [-72 * 60 * minute, /is 3 days ahead of/],
  ])('%d ms is reported', (skew, text) => {
    expect(skewSentence(skew)).toMatch(text);
    expect(skewSentence(skew)).toMatch(/set the clock/);
  });

  test.each([null, 0, 2 * minute, -2 * minute])('%j is nothing to report', (skew) => {
    expect(skewSentence(skew)).toBeNull();
  });
});
