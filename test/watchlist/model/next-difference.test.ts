import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextDifference } from '../../../src/watchlist/model/next-difference.ts';

it('finds every position at which two lists differ, those behind the end of one included', () => {
  const things = [{ id: 1 }, { id: 1 }, { id: 2 }];
  const lists = fc.array(fc.constantFrom(...things), { maxLength: 8 });
  fc.assert(
    fc.property(lists, lists, (a, b) => {
      const longer = Math.max(a.length, b.length);
      const found: number[] = [];
      for (let at = nextDifference(a, b); at < longer; at = nextDifference(a, b, at + 1)) found.push(at);
      expect(found).toEqual(Array.from({ length: longer }, (_, at) => at).filter((at) => a[at] !== b[at]));
    }),
  );
});
