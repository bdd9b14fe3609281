import { describe, expect, test } from 'vitest';
import { plannedSkew, skewSentence } from '../../src/lib/clock-skew.ts';

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

describe('the difference that plans allow for', () => {
  test.each([
    ['nothing while it may be none', 0, [-1_500, 3_000], 0],
    ['nothing for two seconds', 0, [2_000, 2_900], 0],
    ['the least that was measured', 0, [19_100, 20_050], 19_100],
    ['the least of a clock that is behind', 0, [-20_900, -19_950], -20_900],
    ['what it was while that may be so', 19_100, [20_000, 26_000], 19_100],
    ['another one when it cannot be so', 19_100, [89_200, 90_100], 89_200],
    ['nothing again when the clock was set', 19_100, [-800, 100], 0],
  ])('is %s', (_name, former, [least = 0, most = 0], planned) => {
    expect(plannedSkew(former, { least, most })).toBe(planned);
  });
});
