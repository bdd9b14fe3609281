import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { ParcelPositions } from '../../src/parcels/parcel-list.ts';
import { rounds } from '../support/rounds.ts';
import { parcelOf } from './parcels.ts';

const one = parcelOf('RB1CN');
const many: readonly Parcel[] = Array.from({ length: 9_000 }, (_, at) => ({ ...one, id: `p${at}` }));

const deed = fc.record({
  kind: fc.constantFrom('look', 'look', 'change', 'add', 'remove', 'reverse', 'other list'),
  at: fc.nat(many.length + 10),
});

describe('positions of parcels', () => {
  it('are those of a search, whatever becomes of the lists', () => {
    fc.assert(
      fc.property(fc.array(deed, { minLength: 1, maxLength: 30 }), (deeds) => {
        const positions = new ParcelPositions();
        let list = many;
        let other: readonly Parcel[] = many.slice(100);
        for (const [step, { at, kind }] of deeds.entries()) {
          if (kind === 'change') list = list.map((parcel, index) => (index === at ? { ...parcel } : parcel));
          if (kind === 'add') list = [...list, { ...one, id: `new${step}` }];
          if (kind === 'remove') list = list.filter((_, index) => index !== at);
          if (kind === 'reverse') list = list.toReversed();
          if (kind === 'other list') [list, other] = [other, list];
          for (const id of [`p${at}`, `new${step}`, list[at]?.id ?? 'none'])
            expect(positions.indexOf(list, id)).toBe(list.findIndex((parcel) => parcel.id === id));
        }
      }),
      { numRuns: rounds(40) },
    );
  });

  it('are found without going through the list again, also in one that is much alike', () => {
    let asked = 0;
    const counting = many.map(
      (parcel) =>
        new Proxy(parcel, {
          get(target, name, receiver) {
            asked += 1;
            return Reflect.get(target, name, receiver) as unknown;
          },
        }),
    );
    const positions = new ParcelPositions();
    positions.indexOf(counting, 'none');
    asked = 0;
    for (let times = 0; times < 10; times += 1) expect(positions.indexOf(counting, `none${times}`)).toBe(-1);
    const changed = counting.with(7, { ...one, id: 'p7' });
    expect(positions.indexOf(changed, 'p7')).toBe(7);
    expect(positions.indexOf(changed, 'p8999')).toBe(8_999);
    expect(asked).toBeLessThan(10);
  });
});
