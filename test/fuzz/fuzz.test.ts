import { describe, expect, test } from 'vitest';
import { BadResponseError } from '../../src/service/port.ts';
import { recordOf } from '../support/records.ts';
import { rounds } from '../support/rounds.ts';
import { baseResponses } from './base-responses.ts';
import { type CallName, fuzzedCalls, type Outcome } from './calls.ts';
import { checkOutcome, type FuzzedName, tryCase } from './fuzz-case.ts';
import { BrokenInvariantError } from './invariants.ts';
import { foreignNumber, fuzzKey, numbers } from './odd-values.ts';
import { runFuzz } from './run-fuzz.ts';

const plainWrapping = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  corruption: 'nothing',
  at: 0,
} as const;

describe('corrupted responses', () => {
  test('break none of the guarantees of the client and the webhook in a thousand cases', async () => {
    expect(await runFuzz({ seed: 20_261_121, cases: rounds(1000), httpCases: 0 })).toBeNull();
  });

  test('break none of the guarantees over HTTP', async () => {
    expect(await runFuzz({ seed: 20_261_121, cases: 0, httpCases: rounds(100) })).toBeNull();
  });
});

describe('the fuzzer itself', () => {
  test.each([...(Object.keys(fuzzedCalls) as CallName[]), 'webhook' as const])(
    'accepts an intact response: %s',
    async (call) => {
      await expect(tryCase({ call, response: 0, mutations: [], wrapping: plainWrapping })).resolves.toBeUndefined();
    },
  );

  const ours = recordOf({
    trackNo: numbers.twin,
    courierCode: 'yanwen',
    received: { trackNo: numbers.twin, courierCode: 'yanwen', id: '1', status: ['001', 'IN_TRANSIT', 'IN_TRANSIT_01'] },
  });
  const response = { records: [ours], unregistered: [], rejected: [], traceId: null };
  const payload = JSON.stringify(baseResponses.refreshedBatch);
  const returned = (value: unknown): Outcome => ({ kind: 'returned', value });
  const threw = (error: unknown): Outcome => ({ kind: 'threw', error });

  test('accepts a correct outcome', () => {
    expect(() => checkOutcome('query', returned(response), payload)).not.toThrow();
    expect(() => checkOutcome('query', threw(new BadResponseError('It is bad.')), payload)).not.toThrow();
  });

  const lateTime = { trackNo: numbers.twin, courierCode: 'yanwen', accepted: true, message: null };
  const brokenOutcomes: readonly (readonly [string, FuzzedName, Outcome])[] = [
    ['an unexpected exception', 'query', threw(new TypeError('Cannot read properties of null.'))],
    ['an exception from the webhook', 'webhook', threw(new BadResponseError('It is bad.'))],
    ['an error whose message is not a sentence', 'query', threw(new BadResponseError('bad'))],
    ['an error with an escape sequence', 'query', threw(new BadResponseError('It is \u001b[31mbad.'))],
    [
      'a cause with a bidirectional override',
      'query',
      threw(new BadResponseError('It is bad.', { cause: new Error('\u202e') })),
    ],
    ['an error that contains the key', 'query', threw(new BadResponseError('It is bad.', { code: fuzzKey }))],
    ['a control character', 'couriers', returned([{ code: 'ups\u0007' }])],
    ['a zero-width character in a key', 'couriers', returned([{ 'co\u200bde': 'ups' }])],
    ['a lone surrogate', 'couriers', returned([{ code: '\ud83d' }])],
    ['a number that JSON cannot write', 'couriers', returned([{ code: Number.POSITIVE_INFINITY }])],
    ['a number that lost digits', 'couriers', returned([{ code: 2 ** 53 }])],
    ['a field that JSON drops', 'couriers', returned([{ code: undefined }])],
    [
      'a record for a foreign number',
      'query',
      returned({ ...response, records: [{ ...ours, trackNo: foreignNumber }] }),
    ],
    [
      'a field from a different record',
      'query',
      returned({ ...response, records: [{ ...ours, shipmentType: 'elsewhere' }] }),
    ],
    [
      'an ID with different digits',
      'query',
      returned({ ...response, records: [{ ...ours, id: '229255084490768385' }] }),
    ],
    ['a rejection of a foreign number', 'delete', returned([{ trackNo: foreignNumber }])],
    [
      'an echo of a foreign number',
      'register',
      returned({ accepted: [{ trackNo: foreignNumber }], known: [], rejected: [] }),
    ],
    [
      'an instant record for a foreign number',
      'instant',
      returned({ kind: 'record', record: { ...ours, trackNo: 'X1' } }),
    ],
    [
      'the time of a different number',
      'retrackOne',
      returned([{ ...lateTime, actualRefreshTime: `2026-11-20 12:00:00 for ${foreignNumber}` }]),
    ],
    [
      'a key that was not requested',
      'retrackOne',
      returned([{ ...lateTime, courierCode: null, actualRefreshTime: null }]),
    ],
  ];
  test.each(brokenOutcomes)('finds %s', (_name, call, outcome) => {
    expect(() => checkOutcome(call, outcome, payload)).toThrow(BrokenInvariantError);
  });
});
