import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareJson } from '../../src/lib/collections.ts';
import type { JsonObject, JsonValue } from '../../src/lib/json.ts';

const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
const objects = fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'toString'), fc.string()), json, {
  noNullPrototype: true,
}) as fc.Arbitrary<JsonObject>;

describe('shareJson', () => {
  it('says what is received, whatever is known', () => {
    fc.assert(
      fc.property(objects, objects, (known, received) => {
        const shared = shareJson(known, received);
        expect(isDeepStrictEqual(shared, received)).toBe(true);
      }),
    );
  });

  it('is what is known when that comes again', () => {
    fc.assert(
      fc.property(objects, (known) => {
        expect(shareJson(known, structuredClone(known))).toBe(known);
      }),
    );
  });

  it('keeps the parts that come again beside one that is new', () => {
    const known = {
      courier: { name: 'UPS', events: [{ at: 1 }, { at: 2 }] },
      next: '2026-11-21 10:00:00',
      days: [1, 2],
    };
    const shared = shareJson(known, { ...structuredClone(known), next: '2026-11-21 12:00:00' });
    expect(shared.courier).toBe(known.courier);
    expect(shared.days).toBe(known.days);
    expect(shared.next).toBe('2026-11-21 12:00:00');
    expect(known.next).toBe('2026-11-21 10:00:00');
  });
});
