import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFilter } from '../../../src/board/filter.ts';
import { sortParcels } from '../../../src/board/list/sort-orders.ts';
import { lastEventTime } from '../../../src/board/parcel-facts.ts';
import { statusNow } from '../../../src/board/status/status-now.ts';
import { eventAgeText } from '../../../src/board/time.ts';
import { daysSinceEnd, isDueForArchiving } from '../../../src/parcels/delivery.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { daysWithoutMovement } from '../../../src/parcels/usual-times.ts';
import { eventSpan } from '../../../src/service/timeline-order.ts';
import { forAll } from '../../support/for-all.ts';
import { fixture, renderedAt, renderRecord, serviceRecord } from '../../support/render-record.ts';
import { aCheckpoint, ago, aParcel, aRecord, archiveDays, berlin, day, hour, now } from '../parcels.ts';

const wallText = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** An event with a local time that would be this long ago if it were UTC. */
const zoneless = (milliseconds: number) =>
  aCheckpoint({ at: null, offset: null, certain: false, local: wallText(now - milliseconds) });

const withEvent = (lastEvent: Parcel['lastEvent'], fields: Partial<Parcel> = {}): Parcel =>
  aParcel({ lastEvent, ...fields });

describe('an event without a zone', () => {
  it.each([
    // An event two hours ago in Shenzhen, which is eight hours ahead of UTC, so it looks as if it were in the future.
    [-6 * hour, '~<9h', 0],
    [0, '~<15h', 0],
    [12 * hour, '~<2d', 0],
    [2 * day, '~1-2d', 1],
    [3 * day, '~2-3d', 2],
    [12 * day, '~11d', 11],
    [268 * day, '~267d', 267],
  ])('shows only the age that is certain: local time %i ms ago', (milliseconds, age, days) => {
    const { local } = zoneless(milliseconds);
    const { json, row } = renderRecord(serviceRecord({}, { eventTime: local, eventTimeZeroUTC: null, timezone: null }));
    expect(/([^ ◔]+)$/.exec(row)?.[1]).toBe(age);
    expect(json.stayDays).toBe(days);
  });

  it('counts as older only if that is certain', () => {
    const isOlder = (term: string, parcel: Parcel): boolean => createFilter(term, { now, zone: berlin })(parcel);
    const parcel = withEvent(zoneless(30 * hour));
    expect(isOlder('older:1d', parcel)).toBe(false);
    expect(isOlder('older:17h', parcel)).toBe(true);
  });

  it('is never listed above a parcel that may be newer', () => {
    const uncertain = withEvent(zoneless(2 * hour), { id: 'uncertain' });
    const certain = withEvent(aCheckpoint({ at: ago(10 * hour) }), { id: 'certain' });
    for (const parcels of [
      [uncertain, certain],
      [certain, uncertain],
    ])
      expect(
        sortParcels(parcels, { order: 'newest-event', isReversed: false }, { now, zone: berlin }).map(({ id }) => id),
      ).toEqual(['certain', 'uncertain']);
  });

  it('shows the minimum wait for pick-up', () => {
    const event = { ...zoneless(4 * day), subStatus: 'WAITING_DELIVERY_02' };
    const record = aRecord({ transitStatus: 'WAITING_DELIVERY', transitSubStatus: 'WAITING_DELIVERY_02' });
    expect(statusNow(withEvent(event, { record }), { now, zone: berlin })).toContain('3 days');
  });

  it('allows archiving only once the delivery is certainly old enough, and never right after a restore', () => {
    const event = { ...zoneless(7 * day), subStatus: 'DELIVERED_01' };
    const record = aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' });
    const parcel = withEvent(event, { record, addedAt: ago(30 * day) });
    expect(daysSinceEnd(parcel, now)).toBe(6);
    expect(isDueForArchiving(parcel, archiveDays(7), now)).toBe(false);
    expect(isDueForArchiving(parcel, archiveDays(7), now + 12 * hour)).toBe(true);
    const restored = { ...parcel, restoredAt: new Date(now - 7 * day).toISOString() };
    expect(isDueForArchiving(restored, archiveDays(1), now)).toBe(false);
  });
});

describe('an event with only a day', () => {
  it('has an age in days, and its day in the timeline', () => {
    const { json, row, timeline } = renderRecord(fixture('record-event-with-a-day-only'));
    expect(row).toMatch(/[ ◔]~2-4d$/);
    expect(json.stayDays).toBe(2);
    expect(timeline.join('\n')).not.toContain('Day unknown');
    expect(timeline.join('\n')).toMatch(/Wed 18 Nov\n.+Arrived at hub.+\(time unknown\)[\s\S]+Tue 10 Nov/);
  });

  it('is ignored only if its day is in the future in every zone', () => {
    const lastEventOn = (eventTime: string) =>
      renderRecord(serviceRecord({}, { eventTime, eventTimeZeroUTC: null, timezone: null })).json.lastEvent;
    expect(lastEventOn('2026-12-11')).toBeNull();
    expect(lastEventOn('2026-11-22')).not.toBeNull();
  });
});

describe('any event', () => {
  const event = fc.record({
    at: fc.option(fc.integer({ min: -2 * day, max: 1200 * day }).map((elapsed) => ago(elapsed))),
    local: fc.option(
      fc.oneof(
        fc.integer({ min: -2 * day, max: 1200 * day }).map((elapsed) => wallText(now - elapsed)),
        fc.integer({ min: -2 * day, max: 1200 * day }).map((elapsed) => wallText(now - elapsed).slice(0, 10)),
        fc.constantFrom('yesterday', '2026-13-45', '18.11.2026'),
      ),
    ),
    offset: fc.constantFrom(null, '+08:00', '-08:00'),
    certain: fc.boolean(),
  });
  const parcel = event.map((fields) => withEvent(aCheckpoint(fields)));

  it('has an age that is never negative and fits its column', () =>
    forAll(parcel, (candidate) => {
      expect(daysWithoutMovement(candidate, now) ?? 0).toBeGreaterThanOrEqual(0);
      const time = lastEventTime(candidate);
      if (time === null) return;
      const age = eventAgeText(time, now);
      expect(age).toMatch(/^~?(?:<?\d+[mhdy]|\d-\dd)$/);
      expect(age.length).toBeLessThanOrEqual(5);
    }));

  it('lies within its span in every zone', () =>
    forAll(fc.integer({ min: -12 * 4, max: 14 * 4 }), fc.boolean(), (quarters, isDay) => {
      const wall = wallText(renderedAt + quarters * (hour / 4));
      const span = eventSpan({ at: null, local: isDay ? wall.slice(0, 10) : wall, offset: null });
      expect(span?.earliest).toBeLessThanOrEqual(renderedAt);
      expect(span?.latest).toBeGreaterThanOrEqual(renderedAt);
    }));

  it('is sorted consistently for every input order', () => {
    const sorting = { order: 'newest-event', isReversed: false } as const;
    forAll(fc.array(parcel, { maxLength: 6 }), (parcels) => {
      const ordered = sortParcels(parcels, sorting, { now, zone: berlin });
      expect(sortParcels(ordered, sorting, { now, zone: berlin })).toEqual(ordered);
      const times = (list: readonly Parcel[]) => list.map((candidate) => lastEventTime(candidate)?.earliest ?? null);
      expect(times(sortParcels(parcels.toReversed(), sorting, { now, zone: berlin })).map((at) => at === null)).toEqual(
        times(ordered).map((at) => at === null),
      );
    });
  });
});
