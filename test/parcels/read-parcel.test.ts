import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { isPlainHistory, isPlainParcel, readParcel } from '../../src/parcels/parcel.ts';
import { historySchema, parcelSchema } from '../../src/parcels/schema.ts';
import { checkpointOf, recordOf } from '../support/records.ts';
import { rounds } from '../support/rounds.ts';
import { parcelOf } from './parcels.ts';

const {
  checkpoints: _checkpoints,
  received: _received,
  ...record
} = recordOf({
  transitDays: 3,
  expectedDelivery: { kind: 'window', from: '2026-11-23T08:00:00Z', to: null, offset: '+01:00' },
  pieces: 2,
  signedBy: 'Müller',
});
const parcel = parcelOf('RB1CN', {
  record: {
    ...record,
    arrival: checkpointOf('Delivered', '2026-11-18T07:00:00Z', { translation: 'Zugestellt' }),
  },
  lastEvent: checkpointOf('Arrived', '2026-11-18T08:00:00Z'),
  error: { kind: 'rejected', code: null, message: 'no', traceId: null },
});
const history = { version: 1, checkpoints: [checkpointOf('Arrived', null)], received: { trackNo: 'RB1CN' } };

/** A copy in which one field, at any depth, is another value or is gone. */
const spoiled = (value: unknown): fc.Arbitrary<unknown> => {
  const paths = pathsOf(value);
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(undefined, '', -1, 0.5, Number.POSITIVE_INFINITY, '2026-99-99', 'a/b', [], {}, [1], true, null),
    fc.constantFrom('\u001b[2J', 'a\u202eb', 'two  spaces', '2026-11-20 (\u009b31m)', '$(touch x)', 'javascript:x'),
    fc.constantFrom('https://a.example/b', 'https://user@a.example/', { title: '\u001b]0;x\u0007' }, ['\u0007']),
  );
  return fc.tuple(fc.constantFrom(...paths), odd).map(([path, other]) => withValueAt(value, path, other));
};

function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

function withValueAt(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value))
    return value.map((inner, index) => (`${index}` === key ? withValueAt(inner, rest, other) : inner));
  const entries = Object.entries(value ?? {}).map(([name, inner]) => [
    name,
    name === key ? withValueAt(inner, rest, other) : inner,
  ]);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

describe('the short way of reading', () => {
  it('takes what this program writes', () => {
    expect(isPlainParcel(JSON.parse(JSON.stringify(parcel)))).toBe(true);
    expect(isPlainParcel(parcelOf('RB2CN'))).toBe(true);
    expect(isPlainParcel({ ...parcel, ofANewerTime: 1 })).toBe(true);
    expect(isPlainHistory(JSON.parse(JSON.stringify(history)))).toBe(true);
  });

  it('keeps a wait for the index of the service, and what a newer version adds to it', () => {
    const indexing = { since: '2026-11-18T08:00:00.000Z', registeredAgainAt: null, ofANewerTime: 1 };
    const waiting = { ...parcel, indexing };
    expect(isPlainParcel(JSON.parse(JSON.stringify(waiting)))).toBe(true);
    expect(v.parse(parcelSchema, JSON.parse(JSON.stringify(waiting)))).toEqual(waiting);
    expect(readParcel({ ...waiting, indexing: { since: 'soon' } })).toEqual({ parcel, whole: false });
  });

  it('takes no parcel that the schema would refuse or read differently', () => {
    fc.assert(
      fc.property(spoiled(parcel), (odd) => {
        if (!isPlainParcel(odd)) return;
        expect(v.parse(parcelSchema, odd)).toEqual(odd);
      }),
      { numRuns: rounds(3000) },
    );
  });

  it('takes no history that the schema would refuse or read differently', () => {
    fc.assert(
      fc.property(spoiled(history), (odd) => {
        if (!isPlainHistory(odd)) return;
        expect(v.parse(historySchema, odd)).toEqual(odd);
      }),
      { numRuns: rounds(2000) },
    );
  });
});
