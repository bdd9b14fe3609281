import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeSorting, type SortOrder, sortingTitle, sortOrders } from '../../../src/board/list/sort-orders.ts';
import { inGlyphs } from '../../../src/lib/paint.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { forAll } from '../../support/for-all.ts';
import { aCheckpoint, ago, aParcel, aPendingParcel, aRecord, berlin, day, hour, inStatus, now } from '../parcels.ts';
import { arrange } from './arranged.ts';

function order(parcels: readonly Parcel[], by: SortOrder, isReversed = false): string[] {
  const sorting = { order: by, isReversed };
  return arrange({ parcels, filter: '', now, zone: berlin, sorting }).order.map(({ id }) => id);
}

const inTransit = (id: string, eventAgo: number, more: Partial<Parcel> = {}): Parcel => ({
  ...inStatus(id, 'IN_TRANSIT', null, eventAgo),
  ...more,
});
const withCourier = (id: string, courierNameEN: string | null, label: string | null = null): Parcel =>
  inTransit(id, hour, { courierCode: null, label, record: aRecord({ courierNameEN, courierCode: null }) });
const expectedOn = (id: string, date: string | null): Parcel =>
  inTransit(id, hour, { record: aRecord(date === null ? {} : { expectedDelivery: { kind: 'day', date } }) });
const pending = aPendingParcel({ id: 'pending', nextPollAt: null });

describe('the list', () => {
  it('sorts by newest event, newest first', () => {
    expect(
      order([inTransit('b', 2 * hour), pending, inTransit('a', hour), inTransit('c', 9 * hour)], 'newest-event'),
    ).toEqual(['a', 'b', 'c', 'pending']);
  });

  it('sorts by next check, soonest first', () => {
    const due = (id: string, inMs: number): Parcel => inTransit(id, hour, { nextPollAt: ago(-inMs) });
    expect(order([due('b', 2 * hour), pending, due('a', hour), due('late', -hour)], 'next-check')).toEqual([
      'late',
      'a',
      'b',
      'pending',
    ]);
  });

  it('sorts by days in transit, longest first, with arrived parcels last', () => {
    const inTransitFor = (id: string, transitDays: number | null, transitStatus = 'IN_TRANSIT'): Parcel =>
      inTransit(id, hour, { record: aRecord({ transitDays, transitStatus }) });
    const parcels = [
      inTransitFor('3', 3),
      inTransitFor('arrived', 40, 'DELIVERED'),
      inTransitFor('12', 12),
      pending,
      inTransitFor('0', 0),
    ];
    expect(order(parcels, 'days-under-way')).toEqual(['12', '3', '0', 'pending', 'arrived']);
  });

  it('sorts by days without news, longest first', () => {
    const reported = inTransit('reported', hour, {
      record: aRecord({ stayDays: 2 }),
      lastEvent: aCheckpoint({ at: null, local: null }),
    });
    const arrived = inStatus('arrived', 'DELIVERED', null, 30 * day);
    expect(order([inTransit('25 h', 25 * hour), reported, inTransit('3 d', 3 * day), arrived], 'days-still')).toEqual([
      '3 d',
      'reported',
      '25 h',
      'arrived',
    ]);
  });

  it('sorts by expected delivery, soonest first', () => {
    const parcels = [expectedOn('25', '2026-11-25'), expectedOn('no', null), expectedOn('23', '2026-11-23')];
    expect(order(parcels, 'expected')).toEqual(['23', '25', 'no']);
  });

  it('has a heading for each expected day, below one for late parcels', () => {
    const days = ['2026-11-25', null, '2026-11-21', '2026-11-22', '2026-11-19', '2026-11-25', '2026-11-20'];
    const parcels = days.map((date, index) => expectedOn(String(index), date));
    const headings = (isReversed: boolean): string[] =>
      arrange({ parcels, filter: '', now, zone: berlin, sorting: { order: 'expected', isReversed } }).groups.map(
        (group) => `${group.title} ${group.parcels.length}`,
      );
    expect(headings(false)).toEqual(['Late 2', 'Today 1', 'Tomorrow 1', 'Wed 25 Nov 2', 'No date 1']);
    expect(headings(true)).toEqual(['Wed 25 Nov 2', 'Tomorrow 1', 'Today 1', 'Late 2', 'No date 1']);
  });

  it('sorts a day without a zone after the windows that end on it, and before those of the next day', () => {
    const within = (id: string, from: string, to: string | null, offset = '+01:00'): Parcel =>
      inTransit(id, hour, { record: aRecord({ expectedDelivery: { kind: 'window', from, to, offset } }) });
    const parcels = [
      expectedOn('the 23rd', '2026-11-23'),
      within('early on the 24th', '2026-11-23T23:30:00Z', '2026-11-24T00:30:00Z'),
      within('late on the 23rd', '2026-11-23T19:00:00Z', '2026-11-23T21:00:00Z'),
      within('from the 22nd to the 25th', '2026-11-22T08:00:00Z', '2026-11-25T16:00:00Z'),
      within('from the morning of the 23rd', '2026-11-23T08:00:00Z', null, '+02:00'),
      inTransit('the 22nd to the 24th', hour, {
        record: aRecord({ expectedDelivery: { kind: 'day', date: '2026-11-22', until: '2026-11-24' } }),
      }),
    ];
    expect(order(parcels, 'expected')).toEqual([
      'late on the 23rd',
      'from the morning of the 23rd',
      'the 23rd',
      'early on the 24th',
      'the 22nd to the 24th',
      'from the 22nd to the 25th',
    ]);
  });

  it('sorts couriers and labels naturally, ignoring case and accents', () => {
    const parcels = [
      withCourier('u', 'UPS', 'Box 10'),
      withCourier('e', 'épost', 'box 9'),
      withCourier('d', 'DHL', 'Ärmel'),
      withCourier('no', null),
    ];
    expect(order(parcels, 'courier')).toEqual(['d', 'e', 'u', 'no']);
    expect(order(parcels, 'label')).toEqual(['d', 'e', 'u', 'no']);
  });

  it('reverses urgency with its groups', () => {
    const parcels = [inStatus('late', 'ABNORMAL', null, hour), inTransit('a', hour), inTransit('b', 2 * hour)];
    expect(order(parcels, 'urgency')).toEqual(['late', 'a', 'b']);
    expect(order(parcels, 'urgency', true)).toEqual(['b', 'a', 'late']);
  });

  it('has headings only when sorted by urgency, courier or expected day', () => {
    const parcels = [withCourier('u', 'UPS'), withCourier('d', 'DHL'), withCourier('no', null)];
    const groups = (by: SortOrder, isReversed = false) =>
      arrange({ parcels, filter: '', now, zone: berlin, sorting: { order: by, isReversed } }).groups.map(
        ({ title }) => title,
      );
    expect(groups('courier')).toEqual(['DHL', 'UPS', 'Courier not known yet']);
    expect(groups('courier', true)).toEqual(['UPS', 'DHL', 'Courier not known yet']);
    expect(groups('urgency')).toEqual(['In transit']);
    const flatOrders = sortOrders.filter((by) => !['courier', 'expected', 'urgency'].includes(by));
    for (const by of flatOrders) expect(groups(by)).toEqual([]);
  });

  const someParcel = fc.record({
    eventAt: fc.option(fc.integer({ min: 0, max: 5 }).map((hours) => ago(hours * hour))),
    nextPollAt: fc.option(fc.integer({ min: -3, max: 3 }).map((hours) => ago(hours * hour))),
    label: fc.option(fc.constantFrom('lamp', 'Lamp', 'kettle')),
    courierNameEN: fc.option(fc.constantFrom('UPS', 'ups', 'DHL')),
    transitDays: fc.option(fc.nat(3)),
    transitStatus: fc.constantFrom('IN_TRANSIT', 'DELIVERED', 'ABNORMAL'),
    date: fc.option(fc.constantFrom('2026-11-23', '2026-11-24')),
  });

  it.each(sortOrders)('lists every parcel once when sorted by %s, with missing values last in both directions', (by) =>
    forAll(fc.array(someParcel, { maxLength: 12 }), (list) => {
      const parcels = list.map(({ courierNameEN, date, eventAt, transitDays, transitStatus, ...fields }, index) =>
        aParcel({
          ...fields,
          id: String(index),
          courierCode: null,
          lastEvent: eventAt === null ? null : aCheckpoint({ at: eventAt }),
          record: aRecord({
            courierNameEN,
            transitDays,
            transitStatus,
            ...(date === null ? {} : { expectedDelivery: { kind: 'day', date } }),
          }),
        }),
      );
      const [forward, reversed] = [order(parcels, by), order(parcels, by, true)];
      const all = parcels.map(({ id }) => id).sort();
      expect(forward.toSorted()).toEqual(all);
      expect(reversed.toSorted()).toEqual(all);
      if (by === 'label') {
        const isBare = (id: string): boolean => parcels[Number(id)]?.label === null;
        for (const ids of [forward, reversed]) expect(ids.map(isBare)).toEqual(ids.map(isBare).toSorted());
      }
    }),
  );

  it('orders equal parcels by urgency, reversed or not', () => {
    const parcels = [
      withCourier('moving', 'UPS'),
      { ...withCourier('late', 'UPS'), record: aRecord({ courierNameEN: 'UPS', transitStatus: 'ABNORMAL' }) },
    ];
    expect(order(parcels, 'courier')).toEqual(['late', 'moving']);
    expect(order(parcels, 'courier', true)).toEqual(['late', 'moving']);
  });

  it('names the order and its direction', () => {
    expect(sortingTitle({ order: 'newest-event', isReversed: false })).toBe('by newest event ↓');
    expect(sortingTitle({ order: 'newest-event', isReversed: true })).toBe('by newest event ↑');
    expect(sortingTitle({ order: 'next-check', isReversed: false })).toBe('by next check ↑');
    expect(inGlyphs(sortingTitle({ order: 'label', isReversed: false }), 'ascii')).toBe('by label ^');
    expect(describeSorting({ order: 'label', isReversed: true })).toEqual({ title: 'by label', first: 'Z to A' });
  });
});
