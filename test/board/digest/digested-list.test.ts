import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedDigest } from '../../../src/board/digest/changed-digest.ts';
import { type DigestedList, digestedList } from '../../../src/board/digest/digested-list.ts';
import { decodeDigest, encodeDigest, type ListDigest } from '../../../src/board/digest/list-digest.ts';
import { digestDays, makeDigest } from '../../../src/board/digest/make-digest.ts';
import { stageCounts } from '../../../src/board/header/header-counts.ts';
import { columnNeeds } from '../../../src/board/list/column-needs.ts';
import { urgencyWithinStage } from '../../../src/board/status/standing.ts';
import { DueQueue } from '../../../src/polling/schedule/due-queue.ts';
import { defaultPollingPolicy as policy } from '../../../src/polling/schedule/policy.ts';
import { nextCallAmong, soonestWaits } from '../../../src/polling/schedule/soonest-waits.ts';
import type { EpochMs } from '../../../src/service/clock/clock.ts';
import { Zone } from '../../../src/service/clock/zone.ts';
import type { Checkpoint } from '../../../src/service/record/record.ts';
import { coreStatuses, subStatusTexts } from '../../../src/service/record/status.ts';
import type { Parcel } from '../../../src/watchlist/model/parcel.ts';
import { usualStillness } from '../../../src/watchlist/rules/usual-stillness.ts';
import { rounds } from '../../support/rounds.ts';
import { arrange } from '../list/arranged.ts';
import { aBoard, aCheckpoint, aParcel, aRecord, berlin, day, hour, inStatus, minute, now } from '../parcels.ts';

const zones = [berlin, new Zone('America/New_York'), new Zone('Pacific/Apia'), new Zone('Asia/Kathmandu')];

const instant = fc.integer({ min: -20 * day, max: 12 * day }).map((ahead) => new Date(now + ahead).toISOString());
const offset = fc.constantFrom('+01:00', '-08:00', '+08:00', '+13:00', null);

const event: fc.Arbitrary<Checkpoint> = fc
  .record({
    at: fc.option(instant, { freq: 6 }),
    local: fc.option(instant.map((at) => at.slice(0, 19).replace('T', ' '))),
    offset,
    subStatus: fc.option(fc.constantFrom(...Object.keys(subStatusTexts))),
    address: fc.constantFrom(null, 'Köln', '深圳, CN', 'A place with a long name, NL'),
    detail: fc.constantFrom(null, 'Arrived', 'In transit', '航班已起飞，离开中国'),
  })
  .map(aCheckpoint);

const expectedDelivery = fc.oneof(
  fc.record({ kind: fc.constant('day' as const), date: instant.map((at) => at.slice(0, 10)) }),
  fc
    .record({
      from: instant,
      length: fc.option(fc.integer({ min: 0, max: 3 * day })),
      offset: fc.constantFrom('+01:00', '-05:00'),
    })
    .map(({ from, length, offset: clock }) => ({
      kind: 'window' as const,
      from,
      to: length === null ? null : new Date(Date.parse(from) + length).toISOString(),
      offset: clock,
    })),
);

const fields = fc.record(
  {
    label: fc.constantFrom(null, 'Lamp', '한국 화장품 선물', 'A label that is longer than most'),
    courierCode: fc.constantFrom('yanwen', 'dhl', 'gls', null),
    registration: fc.constantFrom('registered' as const, 'pending' as const, 'rejected' as const),
    archivedAt: fc.constantFrom(null, null, null, '2026-11-01T00:00:00.000Z'),
    lastEvent: fc.option(event, { freq: 6 }),
    nextPollAt: fc.option(instant, { freq: 6 }),
    addedAt: instant,
    unread: fc.constant({ since: '2026-11-01T00:00:00.000Z', lastRead: null }),
    fruitlessPolls: fc.integer({ min: 0, max: 3 }),
    deliveryConfirmed: fc.boolean(),
  },
  { requiredKeys: ['lastEvent', 'registration', 'nextPollAt', 'courierCode', 'archivedAt'] },
);

const record = fc
  .record(
    {
      transitStatus: fc.option(fc.constantFrom(...Object.keys(coreStatuses), 'NEW'), { freq: 8 }),
      transitSubStatus: fc.option(fc.constantFrom(...Object.keys(subStatusTexts))),
      stayDays: fc.integer({ min: 0, max: 40 }),
      lastTrackingTime: instant.map((at) => at.slice(0, 19).replace('T', ' ')),
      expectedDelivery,
      arrival: event,
      longestStillDays: fc.integer({ min: 0, max: 5 }),
    },
    { requiredKeys: ['transitStatus', 'transitSubStatus'] },
  )
  .map((given) => aRecord(given));

const parcel = fc
  .record({ fields, record: fc.option(record, { freq: 10 }) })
  .map(({ fields: given, record: kept }) => aParcel({ ...given, record: kept }));

/** What couriers usually take is known. */
const delivered = ['yanwen', 'dhl'].flatMap((courierCode, courier) =>
  Array.from({ length: 10 }, (_, index) =>
    aParcel({
      courierCode,
      archivedAt: index % 2 === 0 ? null : '2026-11-01T00:00:00.000Z',
      record: aRecord({ transitStatus: 'DELIVERED', longestStillDays: 1 + courier * 4 }),
      lastEvent: aCheckpoint({ at: new Date(now - index * 7 * hour).toISOString() }),
    }),
  ),
);

const watchlist = fc
  .array(parcel, { maxLength: 60 })
  .map((some) => [...delivered, ...some].map((one, index) => ({ ...one, id: `parcel-${index}` })));

const placesOf = (parcels: readonly Parcel[]): number[] => parcels.map((_, index) => 17 + index * 1_000);

const others = (parcels: readonly Parcel[]) => ({
  checks: soonestWaits(parcels, policy),
  pause: () => Promise.resolve(),
});

async function digestOf(parcels: readonly Parcel[], zone: Zone, at: EpochMs = now): Promise<ListDigest> {
  const digest = await makeDigest({ parcels, places: placesOf(parcels), now: at, zone, ...others(parcels) });
  const kept = decodeDigest(JSON.parse(JSON.stringify(encodeDigest(digest))));
  if (kept === null) throw new Error('The digest cannot be read.');
  return kept;
}

const shownAt = (parcels: readonly Parcel[], digest: ListDigest, at: EpochMs, zone: Zone) =>
  digestedList(digest, at, zone, (place) => parcels[(place - 17) / 1_000] ?? null);

const batchLimit = 40;

const nextCalls = (parcels: readonly Parcel[], at: EpochMs) =>
  [true, false].map((isPending) => {
    const queue = new DueQueue(policy, batchLimit, ({ registration }) => (registration === 'pending') === isPending);
    queue.follow(parcels);
    return queue.nextCallAt(at);
  });

const nextDigested = ({ checks: { query, register } }: DigestedList, at: EpochMs) =>
  [register, query].map((waits) => nextCallAmong(waits, batchLimit, at));

describe('digestedList', () => {
  it('shows at any instant what the whole list shows', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(
        watchlist,
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: digestDays * day }),
        async (parcels, zone, later) => {
          const at = now + later;
          const list = shownAt(parcels, await digestOf(parcels, zone), at, zone);
          if (list === null) return;
          answered += 1;
          const usual = usualStillness(parcels);
          const whole = arrange({ parcels, filter: '', now: at, usual, zone });
          const named = (groups: typeof whole.groups) =>
            groups.map(({ key, parcels: some, title }) => [
              key,
              title,
              some.map(({ id, unread }) => [id, unread !== undefined]),
            ]);
          expect(named(list.arrangement.groups)).toEqual(named(whole.groups));
          expect(list.arrangement.order.map(list.whole)).toEqual(whole.order);
          expect(list.usual).toEqual(usual);
          const counted = stageCounts({ parcels, now: at, zone });
          expect(new Map([...list.counts.found].toSorted())).toEqual(new Map([...counted.found].toSorted()));
          expect(list.counts.unread).toBe(counted.unread);
          expect(list.needs).toEqual(columnNeeds(whole.order, { now: at, usual, zone, hasStageHeadings: true }));
          expect(nextDigested(list, at)).toEqual(nextCalls(parcels, at));
        },
      ),
      { numRuns: rounds(300) },
    );
    // Plans that are further ahead than plans go are rare.
    expect(answered).toBeGreaterThan(rounds(100, 10));
  });

  it('follows what others have changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        watchlist,
        watchlist,
        fc.constantFrom(...zones),
        fc.nat(9),
        async (first, second, zone, step) => {
          // Some are gone, some are new, some have become others, and some are the same.
          const before = first.filter((_, index) => index % 7 !== step);
          const after = first
            .map((one, index) => (index % 5 === step ? { ...(second[index] ?? one), id: one.id } : one))
            .filter((_, index) => index % 6 !== step);
          const digest = decodeDigest(
            JSON.parse(
              JSON.stringify(
                encodeDigest(await makeDigest({ parcels: before, places: null, now, zone, ...others(before) })),
              ),
            ),
          );
          const ids = new Set(after.map(({ id }) => id));
          const changes = {
            changed: after.filter((one) => !before.includes(one)),
            removed: before.flatMap(({ id }) => (ids.has(id) ? [] : [id])),
            checks: soonestWaits(after, policy),
          };
          const changed = digest === null ? null : changedDigest(digest, changes, zone);
          const list = changed === null ? null : digestedList(changed, now, zone, () => null);
          if (list === null) {
            expect(changes.checks.plausibleFrom).toBeGreaterThan(now);
            return;
          }
          const whole = arrange({ parcels: after, filter: '', now, zone });
          const byId = new Map(after.map((one) => [one.id, one]));
          const named = (groups: typeof whole.groups) =>
            groups.map(({ key, parcels: some }) => [
              key,
              some.map(({ id }) => urgencyWithinStage(byId.get(id) ?? expect.fail())),
              some.map(({ id, unread }) => `${id} ${unread !== undefined}`).toSorted(),
            ]);
          expect(named(list.arrangement.groups)).toEqual(named(whole.groups));
          expect(new Map([...list.counts.found].toSorted())).toEqual(
            new Map([...stageCounts({ parcels: after, now, zone }).found].toSorted()),
          );
          const again = changedDigest(
            changed ?? expect.fail(),
            { changed: [], removed: [], checks: changes.checks },
            zone,
          );
          expect(again).toEqual(changed);
        },
      ),
      { numRuns: rounds(300) },
    );
  });

  it('keeps what waits for one call in its order', async () => {
    const parcels = Array.from({ length: 900 }, (_, index) =>
      aParcel({
        id: `parcel-${index}`,
        registration: index % 3 === 0 ? 'pending' : 'registered',
        nextPollAt: new Date(now + ((index * 37) % 500) * minute).toISOString(),
      }),
    );
    const at = now + 3 * hour;
    const list = shownAt(parcels, await digestOf(parcels, berlin), at, berlin);
    expect(list === null ? null : nextDigested(list, at)).toEqual(nextCalls(parcels, at));
    expect(list?.checks.query.length).toBeLessThan(parcels.length / 2);
  });

  it('looks at few parcels to find how wide the columns are', async () => {
    const parcels = Array.from({ length: 2_000 }, (_, index) => ({
      ...inStatus(`parcel-${index}`, 'WAITING_DELIVERY', 'WAITING_DELIVERY_01', (index % 200) * hour),
      id: `parcel-${index}`,
    }));
    const digest = await digestOf(parcels, berlin);
    const seen: number[] = [];
    const list = digestedList(digest, now + day, berlin, (place) => {
      seen.push(place);
      return parcels[(place - 17) / 1_000] ?? null;
    });
    expect(list).not.toBeNull();
    expect(seen.length).toBeLessThan(50);
  });

  it('says nothing of another zone, nor before it was made, nor when it is old', async () => {
    const parcels = aBoard();
    const digest = await digestOf(parcels, berlin);
    expect(shownAt(parcels, digest, now, berlin)).not.toBeNull();
    expect(shownAt(parcels, digest, now, new Zone('Asia/Tokyo'))).toBeNull();
    expect(shownAt(parcels, digest, now - 1, berlin)).toBeNull();
    expect(shownAt(parcels, digest, now + (digestDays + 1) * day, berlin)).toBeNull();
  });

  it('says nothing where a line holds no parcel', async () => {
    const parcels = aBoard();
    const list = digestedList(await digestOf(parcels, berlin), now, berlin, () => null);
    expect(list).toBeNull();
    const swapped = shownAt(parcels.toReversed(), await digestOf(parcels, berlin), now, berlin);
    const [first] = swapped?.arrangement.order ?? [];
    expect(first === undefined ? null : swapped?.whole(first)).toBeNull();
  });
});

describe('decodeDigest', async () => {
  const value = JSON.parse(JSON.stringify(encodeDigest(await digestOf(aBoard(), berlin))));

  it('reads what was written', async () => {
    expect(decodeDigest(value)).toEqual(
      await makeDigest({ parcels: aBoard(), places: placesOf(aBoard()), now, zone: berlin, ...others(aBoard()) }),
    );
  });

  it('reads nothing that is not of its shape', async () => {
    for (const name of Object.keys(value)) {
      expect([name, decodeDigest({ ...value, [name]: undefined })]).toEqual([name, null]);
      expect([name, decodeDigest({ ...value, [name]: { length: 1e9 } })]).toEqual([name, null]);
    }
    expect(decodeDigest({ ...value, groups: [['attention', 1e6]] })).toBeNull();
    expect(decodeDigest({ ...value, groups: [['\u001b[2J', value.ids.split(' ').length]] })).toBeNull();
    expect(decodeDigest({ ...value, unread: [1_000] })).toBeNull();
    expect(decodeDigest({ ...value, counts: [['\u001b[2J', 1]] })).toBeNull();
    expect(decodeDigest(null)).toBeNull();
  });

  it('throws for no value whatever', async () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(value)), fc.jsonValue(), (name, other) => {
        const digest = decodeDigest({ ...value, [name]: other });
        if (digest !== null) digestedList(digest, now, berlin, () => null);
      }),
    );
  });
});
