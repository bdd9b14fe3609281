import { describe, expect, it } from 'vitest';
import { createFilter } from '../../../src/board/filter.ts';
import { parcelJson } from '../../../src/board/parcel-json.ts';
import { createForecasts, type ForecastDays, forecastText } from '../../../src/board/status/forecast.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { assumedServiceClock } from '../../../src/service/service-clock.ts';
import { aCheckpoint, ago, aParcel, aRecord, berlin, day, now } from '../parcels.ts';

const viewer = { now, zone: berlin };

/** Delivered parcels that took this many days each. */
const deliveredParcels = (days: readonly number[]): readonly Parcel[] =>
  days.map((transitDays, index) => {
    const event = { at: ago((index + 1) * day), local: null, offset: null, subStatus: 'DELIVERED_01' };
    return aParcel({
      id: `delivered-${index}`,
      record: aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01', transitDays }),
      lastEvent: aCheckpoint(event),
    });
  });
const tenToNineteen = Array.from({ length: 10 }, (_, index) => index + 10);
const inTransit = (transitDays: number, fields: Parameters<typeof aRecord>[0] = {}): Parcel =>
  aParcel({ id: 'lamp', checkedAt: ago(0), record: aRecord({ transitDays, ...fields }) });

describe("a parcel's forecast", () => {
  it('gives the 50% and 90% days in words, in JSON and to filters', () => {
    const lamp = inTransit(8);
    const forecast = createForecasts([...deliveredParcels(tenToNineteen), lamp], viewer);
    const days = forecast(lamp);
    expect(days && forecastText(days)).toBe('likely 27 Nov–1 Dec');
    const json = parcelJson(lamp, { serviceClock: assumedServiceClock, now, isPaused: false, forecast });
    expect(json.forecast).toEqual({ from: '2026-11-27', to: '2026-12-01', share: 0.9 });
    const passes = (filter: string): boolean => createFilter(filter, { ...viewer, forecast })(lamp);
    expect(['due:week', 'due:none', 'due:tue', 'is:slow'].map(passes)).toEqual([true, false, false, false]);
    expect(createFilter('due:none', viewer)(lamp)).toBe(true);
  });

  it('is absent if the parcel has a promised date, is out for delivery, ready or archived, or if there are too few deliveries', () => {
    const promised = inTransit(8, { expectedDelivery: { kind: 'day', date: '2026-11-23' } });
    const out = inTransit(8, { transitStatus: 'WAITING_DELIVERY', transitSubStatus: 'WAITING_DELIVERY_01' });
    const ready = inTransit(8, { transitStatus: 'WAITING_DELIVERY', transitSubStatus: 'WAITING_DELIVERY_02' });
    const archived = { ...inTransit(8), archivedAt: ago(0) };
    const forecast = createForecasts(deliveredParcels(tenToNineteen), viewer);
    for (const parcel of [promised, out, ready, archived]) expect(forecast(parcel)).toBeNull();
    expect(createForecasts(deliveredParcels(tenToNineteen.slice(1)), viewer)(inTransit(8))).toBeNull();
  });

  it('marks a parcel as slow if it takes longer than 90% of the others', () => {
    const deliveries = deliveredParcels([...new Array<number>(120).fill(2), ...new Array<number>(12).fill(9)]);
    const forecast = createForecasts(deliveries, viewer);
    const isSlow = (days: number): boolean => createFilter('is:slow', { ...viewer, forecast })(inTransit(days));
    expect([isSlow(2), isSlow(3), isSlow(8)]).toEqual([false, true, true]);
  });
});

describe('a forecast in words', () => {
  const today = Date.parse('2026-11-21');
  const textOf = (from: number, to: number) => {
    const days: ForecastDays = { from: today + from * day, to: today + to * day, today, isSlow: false };
    return forecastText(days);
  };

  it.each([
    [0, 0, 'likely today'],
    [1, 1, 'likely tomorrow'],
    [3, 3, 'likely Tue'],
    [0, 2, 'likely today–Mon'],
    [1, 4, 'likely Sun–Wed'],
    [3, 7, 'likely 24–28 Nov'],
    [9, 10, 'likely 30 Nov–1 Dec'],
    [0, 8, 'likely today–29 Nov'],
  ])('%i to %i days from Saturday: %s', (from, to, text) => expect(textOf(from, to)).toBe(text));
});
