import { describe, expect, test } from 'vitest';
import { BadResponseError } from '../../src/service/errors.ts';
import { recordOf } from '../support/records.ts';
import { rounds } from '../support/rounds.ts';
import { baseAnswers } from './base-responses.ts';
import { type CallName, fuzzedCalls, type Outcome } from './calls.ts';
import { checkOutcome, type FuzzedName, tryCase } from './fuzz-case.ts';
import { BrokenInvariantError } from './invariants.ts';
import { fuzzKey, numbers, strangersNumber } from './odd-values.ts';
import { runFuzz } from './run-fuzz.ts';

const usual = { status: 200, headers: { 'content-type': 'application/json' }, spoil: 'nothing', at: 0 } as const;

describe('spoilt responses', () => {
  test('break no guarantee of the client and the webhook, in a thousand cases', async () => {
    expect(await runFuzz({ seed: 20_261_121, cases: rounds(1000), httpCases: 0 })).toBeNull();
  });

  test('break no guarantee over HTTP', async () => {
    expect(await runFuzz({ seed: 20_261_121, cases: 0, httpCases: rounds(100) })).toBeNull();
  });
});

describe('the fuzzer itself', () => {
  test.each([...(Object.keys(fuzzedCalls) as CallName[]), 'webhook' as const])(
    'accepts an intact response: %s',
    async (call) => {
      await expect(tryCase({ call, answer: 0, mutations: [], wrapping: usual })).resolves.toBeUndefined();
    },
  );

  const ours = recordOf({
    trackNo: numbers.twin,
    courierCode: 'yanwen',
    received: { trackNo: numbers.twin, courierCode: 'yanwen', id: '1', status: ['001', 'IN_TRANSIT', 'IN_TRANSIT_01'] },
  });
  const answer = { records: [ours], unregistered: [], rejected: [], traceId: null };
  const payload = JSON.stringify(baseAnswers.refreshedBatch);
  const answered = (value: unknown): Outcome => ({ kind: 'answered', value });
  const threw = (error: unknown): Outcome => ({ kind: 'threw', error });

  test('accepts a correct outcome', () => {
    expect(() => checkOutcome('query', answered(answer), payload)).not.toThrow();
    expect(() => checkOutcome('query', threw(new BadResponseError('It is bad.')), payload)).not.toThrow();
  });

  const lateTime = { trackNo: numbers.twin, courierCode: 'yanwen', accepted: true, message: null };
  const brokenOutcomes: readonly (readonly [string, FuzzedName, Outcome])[] = [
    ['an unexpected exception', 'query', threw(new TypeError('Cannot read properties of null.'))],
    ['an exception from the webhook', 'webhook', threw(new BadResponseError('It is bad.'))],
    ['an error without a sentence', 'query', threw(new BadResponseError('bad'))],
    ['an error with an escape sequence', 'query', threw(new BadResponseError('It is \u001b[31mbad.'))],
    [
      'a cause with a bidirectional override',
      'query',
      threw(new BadResponseError('It is bad.', { cause: new Error('\u202e') })),
    ],
    ['an error that reports the key', 'query', threw(new BadResponseError('It is bad.', { code: fuzzKey }))],
    ['a control character', 'couriers', answered([{ code: 'ups\u0007' }])],
    ['a zero-width character in a key', 'couriers', answered([{ 'co\u200bde': 'ups' }])],
    ['half a character', 'couriers', answered([{ code: '\ud83d' }])],
    ['a number that JSON cannot write', 'couriers', answered([{ code: Number.POSITIVE_INFINITY }])],
    ['a number that lost digits', 'couriers', answered([{ code: 2 ** 53 }])],
    ['a field that JSON drops', 'couriers', answered([{ code: undefined }])],
    ["a stranger's record", 'query', answered({ ...answer, records: [{ ...ours, trackNo: strangersNumber }] })],
    ['a field from elsewhere', 'query', answered({ ...answer, records: [{ ...ours, shipmentType: 'elsewhere' }] })],
    ['an id with other digits', 'query', answered({ ...answer, records: [{ ...ours, id: '229255084490768385' }] })],
    ["a stranger's rejection", 'delete', answered([{ trackNo: strangersNumber }])],
    ["a stranger's echo", 'register', answered({ accepted: [{ trackNo: strangersNumber }], known: [], rejected: [] })],
    ["a stranger's instant record", 'instant', answered({ kind: 'record', record: { ...ours, trackNo: 'X1' } })],
    [
      "a different number's time",
      'retrackOne',
      answered([{ ...lateTime, actualRefreshTime: `2026-11-20 12:00:00 for ${strangersNumber}` }]),
    ],
    [
      'a key that was not requested',
      'retrackOne',
      answered([{ ...lateTime, courierCode: null, actualRefreshTime: null }]),
    ],
  ];
  test.each(brokenOutcomes)('finds %s', (_name, call, outcome) => {
    expect(() => checkOutcome(call, outcome, payload)).toThrow(BrokenInvariantError);
  });
});
