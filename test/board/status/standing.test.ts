import { describe, expect, it } from 'vitest';
import {
  findTour,
  type Loudness,
  loudness,
  quietSentence,
  shortStatus,
  statusNow,
  statusWordings,
  urgencyWithinStage,
} from '../../../src/board/status/status-now.ts';
import { ageText } from '../../../src/board/time.ts';
import { Zone } from '../../../src/lib/date-time.ts';
import { arrivalOf, deliveredAt } from '../../../src/parcels/delivery.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { daysWithoutMovement } from '../../../src/parcels/usual-times.ts';
import type { Checkpoint } from '../../../src/service/record.ts';
import { aCheckpoint, ago, aParcel, aRecord, berlin, day, hour, inStatus, minute, now } from '../parcels.ts';

const viewing = { now, zone: berlin };
const tour = (parcel: Parcel, at = now, zone = berlin) => findTour(parcel, { now: at, zone });
const dayOf = (date: string): number => Date.parse(date) / day;
const outForDelivery = (event: Partial<Checkpoint>, subStatus: string | null = 'WAITING_DELIVERY_01'): Parcel =>
  aParcel({
    record: aRecord({ transitStatus: 'WAITING_DELIVERY', transitSubStatus: subStatus }),
    lastEvent: aCheckpoint({ subStatus, ...event }),
  });

describe('days without movement', () => {
  it.each([
    [40 * minute, 0],
    [15 * hour, 0],
    [24 * hour, 1],
    [5.5 * day, 5],
  ])("match the age in the row, not the service's count: %d ms", (eventAgo, days) => {
    const parcel = aParcel({ record: aRecord({ stayDays: 3 }), lastEvent: aCheckpoint({ at: ago(eventAgo) }) });
    expect(daysWithoutMovement(parcel, now)).toBe(days);
    if (days > 0) expect(ageText(now - eventAgo, now)).toBe(`${days}d`);
  });

  it('are the minimum for a time without a zone', () => {
    const lastEvent = aCheckpoint({ at: null, offset: null, certain: false, local: '2026-11-18 11:05:00' });
    const parcel = aParcel({ record: aRecord({ stayDays: 1 }), lastEvent });
    expect(daysWithoutMovement(parcel, now)).toBe(2);
  });

  it("are the service's count only if the newest event has no time", () => {
    const record = aRecord({ stayDays: 3 });
    const timeless = aCheckpoint({ at: null, local: null, certain: false });
    expect(daysWithoutMovement(aParcel({ record, lastEvent: timeless }), now)).toBe(3);
    expect(daysWithoutMovement(aParcel({ record, lastEvent: null }), now)).toBe(3);
    expect(daysWithoutMovement(aParcel({ record: aRecord({ stayDays: null }), lastEvent: null }), now)).toBeNull();
  });

  it('are null once the journey has ended', () => {
    for (const status of ['DELIVERED', 'EXPIRED']) {
      expect(daysWithoutMovement(inStatus('a', status, null, 5 * day), now)).toBeNull();
    }
    expect(daysWithoutMovement(aParcel({ archivedAt: ago(hour) }), now)).toBeNull();
  });

  it('are zero if the event is in the future', () => {
    expect(daysWithoutMovement(aParcel({ lastEvent: aCheckpoint({ at: ago(-hour) }) }), now)).toBe(0);
  });
});

describe('a parcel that is out for delivery', () => {
  it("is due today if its event happened today in the event's own zone", () => {
    // 12:42 in London, 01:42 of the next day in Auckland.
    expect(tour(outForDelivery({ at: ago(hour), offset: '+13:00' })).kind).toBe('today');
    expect(tour(outForDelivery({ at: ago(2 * hour), offset: '+13:00' }))).toEqual({
      kind: 'since',
      day: dayOf('2026-11-21'),
    });
    expect(tour(outForDelivery({ at: ago(12 * hour), offset: '+00:00' })).kind).toBe('today');
    expect(tour(outForDelivery({ at: ago(13 * hour), offset: '+00:00' }))).toEqual({
      kind: 'since',
      day: dayOf('2026-11-20'),
    });
  });

  it("uses the viewer's day if the event has no zone", () => {
    const utcOnly = outForDelivery({ at: '2026-11-20T23:30:00Z', offset: null, local: null });
    expect(tour(utcOnly).kind).toBe('today');
    expect(tour(utcOnly, now, new Zone('UTC'))).toEqual({ kind: 'since', day: dayOf('2026-11-20') });
    const zoneless = { at: null, offset: null, certain: false };
    expect(tour(outForDelivery({ ...zoneless, local: '2026-11-21 00:10:00' })).kind).toBe('today');
    expect(tour(outForDelivery({ ...zoneless, local: '2026-11-20 23:50:00' })).kind).toBe('since');
  });

  it('is dated by its newest tour, not by later scans', () => {
    const record = aRecord({
      transitStatus: 'WAITING_DELIVERY',
      transitSubStatus: null,
      arrival: aCheckpoint({ at: ago(3 * day), subStatus: 'WAITING_DELIVERY_01' }),
    });
    const parcel = aParcel({ record, lastEvent: aCheckpoint({ at: ago(hour), subStatus: 'IN_TRANSIT_01' }) });
    expect(tour(parcel)).toEqual({ kind: 'since', day: dayOf('2026-11-18') });
  });

  it('is due today if only its status says so, and was reported today', () => {
    const statuses = ['WAITING_DELIVERY', 'OUT_FOR_DELIVERY'];
    const lastEvents = [null, aCheckpoint({ at: ago(3 * day), detail: 'Arrived at hub', subStatus: 'IN_TRANSIT_02' })];
    for (const transitStatus of statuses) {
      for (const transitSubStatus of [null, 'WAITING_DELIVERY_01']) {
        for (const lastEvent of lastEvents) {
          const parcel = aParcel({ record: aRecord({ transitStatus, transitSubStatus }), lastEvent });
          expect(tour(parcel).kind).toBe('today');
          expect(statusNow(parcel, viewing)).toBe('Out for delivery');
          expect(shortStatus(parcel, viewing)).toBe('Out today');
          const old = { ...parcel, checkedAt: ago(day) };
          expect(tour(old)).toEqual({ kind: 'since', day: null });
          expect(statusNow(old, viewing)).toBe('Out for delivery');
          expect(tour({ ...parcel, checkedAt: null })).toEqual({ kind: 'since', day: null });
        }
      }
    }
  });

  it('is not due today once it is postponed', () => {
    expect(tour(outForDelivery({ at: ago(hour) }, 'WAITING_DELIVERY_03'))).toEqual({ kind: 'postponed' });
  });

  it.each([
    [hour, null, 'Out for delivery', 'Out today'],
    [3 * day, null, 'Out for delivery since Wed', 'Out'],
    [20 * day, null, 'Out for delivery since 1 Nov', 'Out'],
    [400 * day, null, 'Out for delivery since 17 Oct 2025', 'Out'],
    [hour, 'WAITING_DELIVERY_03', 'Delivery postponed, another attempt follows', 'Postponed'],
  ])('shows how long it has been out: %d ms ago, %s', (eventAgo, subStatus, status, word) => {
    const parcel = outForDelivery({ at: ago(eventAgo) }, subStatus ?? 'WAITING_DELIVERY_01');
    expect(statusNow(parcel, viewing)).toBe(status);
    expect(shortStatus(parcel, viewing)).toBe(word);
  });
});

describe('a parcel that can be picked up', () => {
  const waiting = (eventAgo: number): Parcel => inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', eventAgo);

  it('shows how long it has been waiting', () => {
    expect(statusWordings(waiting(2.5 * day), viewing)).toEqual([
      'Ready for pick-up, waiting 2 d',
      'waiting 2 d',
      'Pick-up',
    ]);
    expect(statusNow(waiting(5 * hour), viewing)).toBe('Ready for pick-up, waiting 5 h');
    expect(statusNow(waiting(20 * minute), viewing)).toBe('Ready for pick-up');
  });

  it.each<[number, readonly string[], Loudness]>([
    [3 * day - minute, ['Ready for pick-up, waiting 2 d', 'waiting 2 d', 'Pick-up'], 'usual'],
    [3 * day, ['Ready for pick-up, waiting 3 days', 'waiting 3 days', 'waiting 3 d', 'Pick-up'], 'loud'],
    [7 * day, ['Collect soon, waiting 7 days', 'waiting 7 days', 'waiting 7 d', 'Pick-up'], 'urgent'],
  ])('becomes more urgent over time: after %d ms', (eventAgo, wordings, loud) => {
    expect(statusWordings(waiting(eventAgo), viewing)).toEqual(wordings);
    expect(loudness(waiting(eventAgo), viewing)).toBe(loud);
  });

  it('comes before parcels with a shorter wait, even if they have later events', () => {
    const arrival = aCheckpoint({ at: ago(6 * day), subStatus: 'WAITING_DELIVERY_02' });
    const reminded = waiting(hour);
    const longest = { ...reminded, id: 'longest', record: { ...aRecord(), ...reminded.record, arrival } };
    const parcels = [waiting(2 * day), longest, { ...waiting(4 * day), id: 'b' }];
    expect(parcels.toSorted((x, y) => urgencyWithinStage(y) - urgencyWithinStage(x)).map(({ id }) => id)).toEqual([
      'longest',
      'b',
      'a',
    ]);
    expect(urgencyWithinStage(inStatus('a', 'IN_TRANSIT', null, hour))).toBe(now - hour);
    expect(urgencyWithinStage(aParcel({ lastEvent: null }))).toBe(Number.NEGATIVE_INFINITY);
  });

  it('counts the wait from its arrival, not from a reminder', () => {
    const arrival = aCheckpoint({ at: ago(6 * day), subStatus: 'WAITING_DELIVERY_02' });
    const reminded = waiting(hour);
    expect(statusNow({ ...reminded, record: { ...aRecord(), ...reminded.record, arrival } }, viewing)).toBe(
      'Ready for pick-up, waiting 6 days',
    );
  });
});

describe('a quiet parcel', () => {
  const usual = new Map([['yanwen', 2]]);
  const stillParcel = (eventAgo: number) => inStatus('a', 'IN_TRANSIT', 'IN_TRANSIT_02', eventAgo);

  it('shows how long it has been quiet, and how long is usual', () => {
    expect(statusWordings(stillParcel(5 * day), { ...viewing, usual })).toEqual([
      'Arrived at a sorting centre, quiet 5 d, usually 2',
      'quiet 5 d, usually 2',
      'quiet 5 d',
      'Transit',
    ]);
    expect(quietSentence(stillParcel(5 * day), { now, usual })).toBe(
      'Quiet for 5 days: Yanwen parcels usually move within 2 days.',
    );
    expect(quietSentence(stillParcel(5 * day), { now, usual: new Map([['yanwen', 1]]) })).toContain('within a day.');
    expect(loudness(stillParcel(5 * day), { ...viewing, usual })).toBe('loud');
  });

  it('does not look quiet while the wait is usual, or if the usual wait is unknown', () => {
    expect(statusNow(stillParcel(2 * day), { ...viewing, usual })).toBe('Arrived at a sorting centre');
    expect(statusNow(stillParcel(5 * day), viewing)).toBe('Arrived at a sorting centre');
    expect(quietSentence(stillParcel(5 * day), { now })).toBeNull();
    expect(loudness(stillParcel(5 * day), viewing)).toBe('usual');
  });

  it('also shows how long it has been out for delivery', () => {
    const parcel = inStatus('a', 'OUT_FOR_DELIVERY', 'WAITING_DELIVERY_01', 4 * day);
    expect(statusNow(parcel, { ...viewing, usual })).toBe('Out for delivery since Tue, quiet 4 d, usually 2');
    expect(shortStatus(parcel, { ...viewing, usual })).toBe('Out');
  });
});

describe('the time of delivery', () => {
  it('is the instant of its event', () => {
    expect(deliveredAt(inStatus('a', 'DELIVERED', 'DELIVERED_01', hour))).toBe(Date.parse(ago(hour)));
    const arrival = aCheckpoint({ at: ago(day), subStatus: 'DELIVERED_01' });
    const record = aRecord({ transitStatus: 'DELIVERED', transitSubStatus: null, arrival });
    expect(deliveredAt(aParcel({ record }))).toBe(Date.parse(ago(day)));
  });

  it('is unknown for parcels in transit, and without an event', () => {
    expect(deliveredAt(inStatus('a', 'IN_TRANSIT', 'DELIVERED_01', hour))).toBeNull();
    expect(deliveredAt(inStatus('a', 'DELIVERED', null, hour))).toBeNull();
    expect(arrivalOf(inStatus('a', 'DELIVERED', null, hour))).toBeNull();
  });
});
