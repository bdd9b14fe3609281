import { describe, expect, test } from 'vitest';
import { compare, spreadOf } from './figures.ts';
import {
  comparedFinding,
  type Finding,
  findingJson,
  findingsTable,
  missingFinding,
  plainFinding,
  verdictOf,
} from './findings.ts';

const list = comparedFinding(
  { group: 'Commands', name: 'list, 1,000 parcels', aim: 3.25 },
  'bare Node',
  compare([110, 112, 118], [40, 40, 40]),
);
const held = plainFinding({ group: 'Keys', name: 'release to last row', aim: 100 / 3 }, 'ms', spreadOf([146.4]));
const tmux = missingFinding({ group: 'Bytes', name: 'a key', aim: 2, note: 'tmux is not installed' }, 'times');
const timeline = plainFinding({ group: 'Keys', name: 'timeline' }, 'ms', spreadOf([8, 9, 12]));

test('the table reports the outcome of each aim in words, and counts the outcomes', () => {
  expect(findingsTable([list, held, timeline, tmux])).toBe(
    [
      '                       against           aim  measured  half of runs    ours    other',
      '',
      'Commands',
      '  list, 1,000 parcels  bare Node   <= 3.25 x    2.80 x  2.77 to 2.88  112 ms  40.0 ms  met',
      '',
      'Keys',
      '  release to last row             <= 33.3 ms    146 ms                                 missed',
      '  timeline                                     9.00 ms  8.50 to 10.5',
      '',
      'Bytes',
      '  a key                               <= 2 x                                           not measured: tmux is not installed',
      '',
      '1 of 2 aims met; 1 not measured.',
      '',
    ].join('\n'),
  );
});

test('the JSON output contains the figures as measured', () => {
  expect(JSON.parse(findingJson(list))).toEqual({
    group: 'Commands',
    name: 'list, 1,000 parcels',
    comparedWith: 'bare Node',
    unit: 'times',
    aim: 3.25,
    pair: { ours: 112, other: 40, unit: 'ms' },
    note: null,
    median: 2.8,
    lower: expect.closeTo(2.775),
    upper: expect.closeTo(2.875),
    samples: 3,
    verdict: 'met',
  });
  expect(JSON.parse(findingJson(tmux))).toMatchObject({ median: null, verdict: 'not measured' });
});

describe('a finding is judged by its median', () => {
  const judge = (aim: number | null, samples: readonly number[] | null): string =>
    verdictOf({ aim, measured: samples === null ? null : spreadOf(samples) } satisfies Pick<
      Finding,
      'aim' | 'measured'
    >);

  test.each([
    [2, [1, 1.5, 1.8], 'met'],
    [2, [2, 2, 2], 'met'],
    [2, [1, 1.9, 4], 'met, close'],
    [2, [1, 2.1, 4], 'missed, close'],
    [2, [3, 4, 5], 'missed'],
    [null, [1], 'no aim'],
    [2, null, 'not measured'],
  ])('with an aim of %s, %j is "%s"', (aim, samples, verdict) => expect(judge(aim, samples)).toBe(verdict));
});
