import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeCheckpoints } from '../../src/parcels/merge-checkpoints.ts';
import { mergeRecord } from '../../src/parcels/merge-record.ts';
import type { Checkpoint, TrackingRecord } from '../../src/service/record.ts';
import { instantOf, placesAgree } from '../../src/service/timeline-order.ts';
import { historyFormat } from '../../src/store/file/formats.ts';
import { someThursday } from '../support/fake-clock.ts';
import { forAll } from '../support/for-all.ts';
import { checkpointOf, recordOf } from '../support/records.ts';
import { parcelOf } from './parcels.ts';

const details = (checkpoints: readonly Checkpoint[]): readonly (string | null)[] =>
  checkpoints.map(({ detail }) => detail);

const checkpointsAt = (...places: readonly (string | null)[]): fc.Arbitrary<Checkpoint[]> =>
  fc.array(
    fc.record<Checkpoint>(
      {
        at: fc.option(
          fc.integer({ min: 0, max: 12 }).map((hour) => `2026-11-19T${String(hour).padStart(2, '0')}:00:00Z`),
        ),
        local: fc.option(
          fc.integer({ min: 0, max: 12 }).map((hour) => `2026-11-19 ${String(hour).padStart(2, '0')}:00:00`),
        ),
        offset: fc.constantFrom(null, '+01:00'),
        certain: fc.boolean(),
        address: fc.constantFrom(...places),
        detail: fc.constantFrom('Arrived', 'Departed', null),
        subStatus: fc.constantFrom(null, 'IN_TRANSIT_02'),
      },
      { noNullPrototype: true },
    ),
    { maxLength: 8 },
  );
const checkpoints = checkpointsAt(null, 'Köln', 'Köln, DE', 'Bonn');

/** Whether two events have the same text, place and instant, or local time if an instant is missing. */
function sameEvent(a: Checkpoint, b: Checkpoint): boolean {
  if (a.detail !== b.detail || a.address !== b.address) return false;
  const [instantA, instantB] = [instantOf(a), instantOf(b)];
  if (instantA !== null && instantB !== null) return instantA === instantB;
  return a.local === b.local && (a.local !== null || instantA === instantB);
}

describe('mergeCheckpoints', () => {
  it('puts later events in front and keeps known ones', () =>
    forAll(fc.uniqueArray(fc.nat(500), { maxLength: 12 }), fc.nat(12), fc.boolean(), (minutes, knownCount, isWhole) => {
      const reported = minutes
        .toSorted((a, b) => b - a)
        .map((minute) => new Date(minute * 60_000).toISOString())
        .map((at) => checkpointOf('x', isWhole ? at.replace('.000Z', 'Z') : at));
      const later = Math.max(0, reported.length - knownCount);
      const known = reported.slice(later).map((event) => ({ ...event }));
      const merged = mergeCheckpoints(known, reported);
      expect(merged).toEqual(reported);
      expect(merged.slice(later).every((event, index) => event === known[index])).toBe(true);
    }));

  it("keeps the courier's order for an event without an instant", () => {
    const merged = mergeCheckpoints(
      [],
      [
        checkpointOf('c', '2026-11-19T09:00:00Z'),
        checkpointOf('b', null, { local: '2026-11-19 23:00:00' }),
        checkpointOf('a', '2026-11-19T07:00:00Z'),
      ],
    );
    expect(details(merged)).toEqual(['c', 'b', 'a']);
  });

  it('puts the later report first if both have the same instant', () => {
    const merged = mergeCheckpoints(
      [checkpointOf('first', '2026-11-19T08:00:00Z')],
      [checkpointOf('second', '2026-11-19T08:00:00Z'), checkpointOf('first', '2026-11-19T08:00:00Z')],
    );
    expect(details(merged)).toEqual(['second', 'first']);
  });

  it('recognises an event when its zone becomes known', () => {
    const local = '2026-11-19 09:00:00';
    const merged = mergeCheckpoints(
      [checkpointOf('Arrived', null, { local })],
      [checkpointOf('Arrived', '2026-11-19T08:00:00Z', { local, offset: '+01:00', subStatus: 'IN_TRANSIT_02' })],
    );
    expect(merged).toEqual([
      checkpointOf('Arrived', '2026-11-19T08:00:00Z', { local, offset: '+01:00', subStatus: 'IN_TRANSIT_02' }),
    ]);
  });

  it.each([
    ['becomes more exact', 'Leipzig', 'Leipzig, DE'],
    ['becomes less exact', 'Leipzig, DE', 'Leipzig'],
    ['becomes known', null, 'Leipzig, DE'],
    ['is omitted', 'Leipzig, DE', null],
    ['loses a word and gains punctuation', 'Leipzig, DE', 'Leipzig, , , ,'],
    ['gains a word and loses punctuation', 'Leipzig, , , ,', 'Leipzig, DE'],
  ])('keeps a single event with the more exact place if the place %s', (_name, before, after) => {
    const at = '2026-11-19T08:00:00Z';
    const known = [checkpointOf('Arrived', at, { address: before })];
    const merged = mergeCheckpoints(known, [checkpointOf('Arrived', at, { address: after })]);
    expect(merged).toEqual([checkpointOf('Arrived', at, { address: 'Leipzig, DE' })]);
  });

  it.each([
    ['comes with a more exact one', ['Leipzig'], ['Leipzig, DE', 'Leipzig'], 2],
    ['could be either of two', ['Leipzig Nord', 'Leipzig Hub'], ['Leipzig'], 3],
    ['only looks like part of the other', ['Essen'], ['Hessen'], 2],
    ['has two more exact ones', ['Leipzig'], ['Leipzig Nord', 'Leipzig Hub'], 2],
  ])('separates simultaneous events if a place %s', (_name, before, after, count) => {
    const reported = (places: readonly string[]): readonly Checkpoint[] =>
      places.map((address) => checkpointOf('Arrived', '2026-11-19T08:00:00Z', { address }));
    const merged = mergeCheckpoints(reported(before), reported(after));
    expect(merged).toHaveLength(count);
    expect(mergeCheckpoints(merged, reported(after))).toBe(merged);
  });

  it('joins two events when a third report connects them', () => {
    const at = '2026-11-19T08:00:00Z';
    const local = '2026-11-19 09:00:00';
    const merged = mergeCheckpoints(
      [checkpointOf('Arrived', at)],
      [checkpointOf('Arrived', null, { local }), checkpointOf('Arrived', at, { local })],
    );
    expect(merged).toEqual([checkpointOf('Arrived', at, { local })]);
  });

  it('keeps the first of two duplicates in a list', () => {
    const reported = ['IN_TRANSIT_02', 'IN_TRANSIT_07'].map((subStatus) =>
      checkpointOf('Arrived', '2026-11-19T08:00:00Z', { subStatus }),
    );
    const merged = mergeCheckpoints([], reported);
    expect(merged).toEqual(reported.slice(0, 1));
    expect(mergeCheckpoints(merged, reported)).toBe(merged);
  });

  it('never loses an event, known or new', () =>
    forAll(checkpoints, checkpoints, (known, incoming) => {
      const merged = mergeCheckpoints(known, incoming);
      for (const event of [...known, ...incoming]) {
        const isSame = (candidate: Checkpoint): boolean =>
          sameEvent({ ...candidate, address: event.address }, event) && placesAgree(candidate.address, event.address);
        expect(merged.some(isSame)).toBe(true);
      }
    }));

  it('is idempotent: merging the same response again returns the same object', () =>
    forAll(checkpoints, checkpoints, (known, incoming) => {
      const once = mergeCheckpoints(known, incoming);
      const twice = mergeCheckpoints(once, incoming);
      expect(twice).toBe(once);
    }));

  it('sorts all events that have an instant', () =>
    forAll(checkpoints, checkpoints, (known, incoming) => {
      const instants = mergeCheckpoints(known, incoming).flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]));
      expect(instants).toEqual(instants.toSorted((a, b) => b - a));
    }));

  it('keeps the known order when new events arrive', () => {
    // All places are equally exact, so that events are distinct.
    const places = checkpointsAt('Köln', 'Bonn');
    forAll(places, places, (known, incoming) => {
      const before = mergeCheckpoints([], known).filter(({ at }) => at !== null);
      const after = mergeCheckpoints(mergeCheckpoints([], known), incoming);
      const positions = before.map((event) =>
        after.findIndex((merged) => merged.at === event.at && sameEvent(merged, event)),
      );
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    });
  });
});

describe('mergeRecord', () => {
  const parcel = parcelOf('RB1CN');
  const arrived = checkpointOf('Arrived', '2026-11-19T08:00:00Z');
  const first = mergeRecord(
    parcel,
    historyFormat.empty,
    recordOf({ checkpoints: [arrived], courierCode: 'yanwen', shipTo: 'DE', nextUpdateTime: '2026-11-19 20:00:00' }),
    someThursday,
  );

  it('sets the record, the last event, the count, the courier and the time of the response', () => {
    expect(first.parcel).toMatchObject({
      courierCode: 'yanwen',
      courierPinned: false,
      record: { transitStatus: 'IN_TRANSIT', shipTo: 'DE' },
      lastEvent: arrived,
      checkpointCount: 1,
      checkedAt: '2026-11-19T09:00:00.000Z',
    });
    expect(first.parcel.record).not.toHaveProperty('received');
    expect(first.parcel.record).not.toHaveProperty('checkpoints');
    expect(first.history).toMatchObject({ checkpoints: [arrived], received: { trackNo: 'RB1CN' } });
    expect(first.changed).toBe(true);
  });

  it('keeps everything but the times if the response is blank', () => {
    const blank = recordOf({ transitStatus: 'NO_RECORD', transitSubStatus: null, received: { blank: true } });
    const { parcel: after, history, changed } = mergeRecord(first.parcel, first.history, blank, someThursday + 1000);
    expect(after).toEqual({
      ...first.parcel,
      record: { ...first.parcel.record, nextUpdateTime: null },
      checkedAt: '2026-11-19T09:00:01.000Z',
    });
    expect(history).toBe(first.history);
    expect(changed).toBe(false);
  });

  it('keeps the later of two responses without a record', () => {
    const recordWith = (transitStatus: string | null, nextUpdateTime: string | null) =>
      recordOf({
        transitStatus,
        transitSubStatus: null,
        nextUpdateTime,
        received: { trackNo: 'RB1CN', transitStatus, nextUpdateTime },
      });
    const registered = mergeRecord(parcel, historyFormat.empty, recordWith('INIT', null), someThursday);
    const blank = recordWith('NO_RECORD', '2026-11-19 20:00:00');
    const queried = mergeRecord(registered.parcel, registered.history, blank, someThursday);
    expect(queried.parcel.record?.transitStatus).toBe('NO_RECORD');
    expect(queried.history.received).toEqual(blank.received);
    // An even emptier response removes nothing.
    expect(mergeRecord(queried.parcel, queried.history, recordWith(null, null), someThursday).history).toBe(
      queried.history,
    );
    const moving = mergeRecord(queried.parcel, queried.history, recordWith('IN_TRANSIT', null), someThursday);
    expect(mergeRecord(moving.parcel, moving.history, blank, someThursday).history).toBe(moving.history);
  });

  it('keeps omitted fields, but not the old sub-status with a new status', () => {
    const response = recordOf({ transitStatus: 'DELIVERED', transitSubStatus: null });
    const { parcel: after, changed } = mergeRecord(first.parcel, first.history, response, someThursday);
    expect(after.record).toMatchObject({ transitStatus: 'DELIVERED', transitSubStatus: null, shipTo: 'DE' });
    expect(after.checkpointCount).toBe(1);
    expect(changed).toBe(true);
  });

  it('takes the lookup state from the newest record', () => {
    const failed = mergeRecord(
      parcelOf('RB1CN'),
      historyFormat.empty,
      recordOf({ trackingStatus: '003', checkpoints: [checkpointOf('Arrived', '2026-11-19T12:00:00Z')] }),
      someThursday,
    );
    const silent = recordOf({ trackingStatus: null, checkpoints: failed.history.checkpoints });
    expect(mergeRecord(failed.parcel, failed.history, silent, someThursday).parcel.record?.trackingStatus).toBeNull();
  });

  it('never replaces a courier that the user chose', () => {
    const pinned = parcelOf('RB1CN', { courierCode: 'dhl', courierPinned: true });
    const merged = mergeRecord(pinned, historyFormat.empty, recordOf({ courierCode: 'ups' }), someThursday);
    expect(merged.parcel.courierCode).toBe('dhl');
  });

  it('does not report a new day count or next update time as a change', () => {
    const response = recordOf({
      checkpoints: [arrived],
      courierCode: 'yanwen',
      stayDays: 3,
      nextUpdateTime: '2026-11-20 20:00:00',
    });
    expect(mergeRecord(first.parcel, first.history, response, someThursday).changed).toBe(false);
  });

  it('clears the days without movement if a response omits them', () => {
    const reported = mergeRecord(
      first.parcel,
      first.history,
      recordOf({ checkpoints: [arrived], stayDays: 3 }),
      someThursday,
    );
    expect(reported.parcel.record?.stayDays).toBe(3);
    const pushed = mergeRecord(reported.parcel, reported.history, recordOf({ checkpoints: [arrived] }), someThursday);
    expect(pushed.parcel.record?.stayDays).toBeNull();
  });

  it('keeps other fields if the next response omits them', () => {
    const expectedDelivery = { kind: 'day', date: '2026-11-23' } as const;
    const reported = recordOf({ checkpoints: [arrived], expectedDelivery, signedBy: 'Müller' });
    const known = mergeRecord(first.parcel, first.history, reported, someThursday);
    const after = mergeRecord(known.parcel, known.history, recordOf({ checkpoints: [arrived] }), someThursday);
    expect(after.parcel.record).toMatchObject({ expectedDelivery, signedBy: 'Müller' });
    expect(after.changed).toBe(false);
  });

  it('finds when the parcel was delivered, became ready for pick-up or went out for delivery', () => {
    const event = (hour: number, subStatus: string | null) =>
      checkpointOf('scan', `2026-11-18T${hour}:00:00Z`, { local: `2026-11-18 ${hour + 1}:00:00`, subStatus });
    const arrivalOf = (fields: Partial<TrackingRecord>, ...checkpoints: readonly Checkpoint[]) =>
      mergeRecord(parcelOf('RB1CN'), historyFormat.empty, recordOf({ ...fields, checkpoints }), someThursday).parcel
        .record?.arrival?.at;
    const delivered = { transitStatus: 'DELIVERED', deliveredTime: '2026-11-18 12:00:00' };
    const deliveries = [event(13, 'IN_TRANSIT_01'), event(12, 'DELIVERED_03'), event(11, 'DELIVERED_01')];
    expect(arrivalOf(delivered, ...deliveries)).toBe('2026-11-18T11:00:00Z');
    expect(arrivalOf({ transitStatus: 'DELIVERED' }, ...deliveries)).toBe('2026-11-18T11:00:00Z');
    const pickup = { transitStatus: 'WAITING_DELIVERY', transitSubStatus: 'WAITING_DELIVERY_02' };
    const reminders = [event(13, 'WAITING_DELIVERY_02'), event(12, 'WAITING_DELIVERY_02'), event(11, 'IN_TRANSIT_02')];
    expect(arrivalOf(pickup, ...reminders)).toBe('2026-11-18T12:00:00Z');
    const outForDelivery = { transitStatus: 'WAITING_DELIVERY', transitSubStatus: null };
    const start = event(10, 'WAITING_DELIVERY_01');
    expect(arrivalOf(outForDelivery, event(13, 'IN_TRANSIT_01'), event(12, null), start)).toBe('2026-11-18T10:00:00Z');
    // A delivery round that has ended says nothing about the current one.
    for (const ended of ['DELIVERY_FAILED_02', 'IN_TRANSIT_02', 'WAITING_DELIVERY_03']) {
      expect(arrivalOf(outForDelivery, event(13, 'IN_TRANSIT_01'), event(12, ended), start)).toBeUndefined();
    }
    // Not stored if the last event has the same information.
    expect(arrivalOf(pickup, event(13, 'WAITING_DELIVERY_02'))).toBeUndefined();
    expect(arrivalOf({ transitStatus: 'IN_TRANSIT' }, ...deliveries)).toBeUndefined();
  });

  it('keeps the same object if the received record is repeated', () => {
    const response = (): TrackingRecord => recordOf({ received: { courier: { name: 'UPS' } } });
    const { history } = mergeRecord(parcel, historyFormat.empty, response(), someThursday);
    expect(mergeRecord(parcel, history, response(), someThursday).history.received).toBe(history.received);
  });

  it('is idempotent', () =>
    forAll(checkpoints, fc.constantFrom(null, 'NO_RECORD', 'IN_TRANSIT', 'DELIVERED', 'NEW_ONE'), (list, status) => {
      const response = recordOf({ checkpoints: list, transitStatus: status });
      const once = mergeRecord(first.parcel, first.history, response, someThursday);
      const twice = mergeRecord(once.parcel, once.history, response, someThursday);
      expect(twice).toEqual({ ...once, changed: false });
    }));
});
