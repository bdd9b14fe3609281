import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stageCounts } from '../../../src/board/header/header-counts.ts';
import { KeptCounts } from '../../../src/board/header/kept-counts.ts';
import { type Arrangement, arrangeAll } from '../../../src/board/list/arrange.ts';
import { columnNeeds } from '../../../src/board/list/column-needs.ts';
import { KeptArrangement } from '../../../src/board/list/kept-arrangement.ts';
import { KeptNeeds } from '../../../src/board/list/kept-needs.ts';
import { columnOrder } from '../../../src/board/list/list-columns.ts';
import { sortOrders } from '../../../src/board/list/sort-orders.ts';
import type { Parcel } from '../../../src/watchlist/model/parcel.ts';
import { rounds } from '../../support/rounds.ts';
import { aBoard, ago, aParcel, berlin, day, hour, now } from '../parcels.ts';

const models = aBoard();

/** More than a list has that is arranged as a whole. */
const many: readonly Parcel[] = Array.from({ length: 2_200 }, (_, at) => {
  const one = models[at % models.length] ?? aParcel();
  return { ...one, id: `many-${at}`, addedAt: ago((at % 7) * hour) };
});

/** What somebody does to a list. */
const deed = fc.record({
  kind: fc.constantFrom('change', 'change', 'add', 'remove', 'archive', 'unread'),
  at: fc.nat(many.length - 1),
  like: fc.nat(models.length - 1),
  later: fc.constantFrom(0, 60_000, hour, day),
});

function done(
  parcels: readonly Parcel[],
  { kind, at, like }: { kind: string; at: number; like: number },
  step: number,
) {
  const old = parcels[at % parcels.length] ?? aParcel();
  const model = models[like] ?? aParcel();
  switch (kind) {
    case 'add':
      return [...parcels, { ...model, id: `new-${step}` }];
    case 'remove':
      return parcels.filter((parcel) => parcel !== old);
    default: {
      const archived = kind === 'archive' ? { archivedAt: ago(0) } : {};
      const unread = kind === 'unread' ? { unread: { since: ago(0), lastRead: null } } : {};
      const changed = { ...model, id: old.id, addedAt: old.addedAt, ...archived, ...unread };
      return parcels.map((parcel) => (parcel === old ? changed : parcel));
    }
  }
}

const some = ({ found, unread }: ReturnType<typeof stageCounts>) => ({
  unread,
  found: Object.fromEntries([...found].filter(([, count]) => count > 0)),
});

/** As one text: to compare thousands one by one takes longer than to arrange them. */
const idsOf = ({ order }: Arrangement): string => order.map(({ id }) => id).join(' ');

describe('a long list that is kept', () => {
  it('is arranged and counted as if from the beginning, whatever is done to it, and whenever', () => {
    fc.assert(
      fc.property(fc.array(deed, { minLength: 1, maxLength: 8 }), (deeds) => {
        const [arranged, counted, measured] = [new KeptArrangement(), new KeptCounts(), new KeptNeeds()];
        let [parcels, at] = [many, now];
        arranged.arrange({ parcels, now: at, zone: berlin });
        for (const [step, one] of deeds.entries()) {
          parcels = done(parcels, one, step);
          at += one.later;
          const input = { parcels, now: at, zone: berlin };
          const whole = arrangeAll(input);
          const kept = arranged.arrange(input);
          expect(kept.groups.map(({ key }) => key)).toEqual(whole.groups.map(({ key }) => key));
          expect(idsOf(kept)).toBe(idsOf(whole));
          expect(some(counted.count(input))).toEqual(some(stageCounts(input)));
          const viewing = { now: at, zone: berlin, hasStageHeadings: true };
          const needs = measured.of({ parcels, listed: whole.unfiltered, isArchive: false, viewing });
          if (one.later === 0) continue;
          const anew = columnNeeds(whole.unfiltered, viewing);
          for (const name of columnOrder.filter((column) => column !== 'status' && column !== 'event'))
            expect(needs[name]).toBeGreaterThanOrEqual(anew[name] - 6);
        }
      }),
      { numRuns: rounds(15, 3) },
    );
  });

  it('is in every order as if from the beginning, watched or archived', () => {
    const order = fc.constantFrom(...sortOrders);
    fc.assert(
      fc.property(
        fc.array(deed, { minLength: 1, maxLength: 8 }),
        order,
        fc.boolean(),
        fc.constantFrom('watched' as const, 'archive' as const),
        (deeds, by, isReversed, listed) => {
          const kept = new KeptArrangement();
          let [parcels, at] = [many, now];
          if (listed === 'archive') parcels = many.map((parcel) => ({ ...parcel, archivedAt: ago(hour) }));
          const sorting = { order: by, isReversed };
          kept.arrange({ parcels, now: at, zone: berlin, sorting, listed });
          for (const [step, one] of deeds.entries()) {
            parcels = done(parcels, one, step);
            at += one.later;
            const input = { parcels, now: at, zone: berlin, sorting, listed };
            const [arranged, whole] = [kept.arrange(input), arrangeAll(input)];
            expect(idsOf(arranged)).toBe(idsOf(whole));
            expect(arranged.groups.map(({ key }) => key)).toEqual(whole.groups.map(({ key }) => key));
          }
        },
      ),
      { numRuns: rounds(12, 3) },
    );
  });

  it('is gone through no more for a change', () => {
    let asked = 0;
    const counting = many.map(
      (parcel) =>
        new Proxy(parcel, {
          get(target, name, receiver) {
            if (name === 'lastEvent') asked += 1;
            return Reflect.get(target, name, receiver) as unknown;
          },
        }),
    );
    const [arranged, counted] = [new KeptArrangement(), new KeptCounts()];
    const first = { parcels: counting, now, zone: berlin };
    arranged.arrange(first);
    counted.count(first);
    // As a board does, which ticks when its counts change.
    expect(counted.until).toBeGreaterThan(now);
    asked = 0;
    const parcels = counting.map((parcel, at) =>
      at === 7 ? ({ ...many[8], id: 'many-7', label: 'Lamp' } as Parcel) : parcel,
    );
    arranged.arrange({ ...first, parcels });
    counted.count({ ...first, parcels });
    expect(asked).toBeLessThan(200);
  });
});
