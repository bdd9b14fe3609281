import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/service/text/json.ts';
import { sameJson, shareJson } from '../../../src/watchlist/model/same-json.ts';

const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
const objects = fc.dictionary(
  fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'toString'), fc.string()),
  json,
) as fc.Arbitrary<JsonObject>;

describe('shareJson', () => {
  it('says what is told, whatever is known', () => {
    fc.assert(
      fc.property(objects, objects, (known, told) => {
        const shared = shareJson(known, told);
        expect(JSON.stringify(shared)).toBe(sameJson(known, told) ? JSON.stringify(known) : JSON.stringify(told));
        expect(sameJson(shared, told)).toBe(true);
      }),
    );
  });

  it('is what is known when that is told again', () => {
    fc.assert(
      fc.property(objects, (known) => {
        expect(shareJson(known, structuredClone(known))).toBe(known);
      }),
    );
  });

  it('keeps the parts that are told again beside one that is new', () => {
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
