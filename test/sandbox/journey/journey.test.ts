import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Zone } from '../../../src/lib/date-time.ts';
import { couriers, couriersByCode } from '../../../src/sandbox/couriers.ts';
import { type Journey, planJourney } from '../../../src/sandbox/journey/journey.ts';
import { eventMeanings, scenarios } from '../../../src/sandbox/journey/scenarios.ts';
import { forAll } from '../../support/for-all.ts';

const zones = new Map<string, Zone>();
const zoneOf = (name: string): Zone => {
  const zone = zones.get(name) ?? new Zone(name);
  zones.set(name, zone);
  return zone;
};
const anyNumber = fc.stringMatching(/^[0-9A-Z]{8,20}$/);
const anyCourier = fc.constantFrom(...couriers);

const manyJourneys = (code: string, count = 200): readonly Journey[] => {
  const courier = couriersByCode.get(code);
  if (courier === undefined) throw new Error(`There is no courier ${code}.`);
  return Array.from({ length: count }, (_, index) => planJourney(7, `NUMBER${index}`, courier, zoneOf));
};

it('is the same for the same number and seed, ignoring case', () =>
  forAll(fc.integer(), anyNumber, anyCourier, (seed, trackNo, courier) => {
    const journey = planJourney(seed, trackNo, courier, zoneOf);
    expect(planJourney(seed, trackNo.toLowerCase(), courier, (name) => new Zone(name))).toEqual(journey);
  }));

it('goes forward in time and ends at its last event or after a month without events', () =>
  forAll(fc.integer(), anyNumber, anyCourier, (seed, trackNo, courier) => {
    const { events, endsAt, expiresAt } = planJourney(seed, trackNo, courier, zoneOf);
    const positions = events.map(({ position }) => position);
    expect(positions).toEqual([...positions].sort((left, right) => left - right));
    expect(expiresAt === null ? endsAt === positions.at(-1) : endsAt === expiresAt).toBe(true);
    expect(endsAt).toBeGreaterThanOrEqual(positions.at(-1) ?? 0);
  }));

it('stays in the countries of its route', () =>
  forAll(anyNumber, anyCourier, (trackNo, courier) => {
    const { from, to, events } = planJourney(1, trackNo, courier, zoneOf);
    expect(events.every(({ place }) => place === null || place.country === from || place.country === to)).toBe(true);
  }));

it('stays in the country with a domestic courier, leaves it with an export courier, and does either with a post', () => {
  expect(manyJourneys('hermes').every(({ from, to }) => from === 'DE' && to === 'DE')).toBe(true);
  expect(manyJourneys('yanwen').every(({ from, to }) => from === 'CN' && to !== 'CN')).toBe(true);
  const post = manyJourneys('japan-post');
  expect(post.every(({ from }) => from === 'JP')).toBe(true);
  expect(new Set(post.map(({ to }) => to === 'JP')).size).toBe(2);
});

it('has events during working hours if people do the work', () => {
  const withoutSummerTime = ['JP', 'TH', 'CN'];
  for (const journey of [...manyJourneys('japan-post'), ...manyJourneys('flash-express'), ...manyJourneys('zto')]) {
    for (const { position, place, zone, kind } of journey.events) {
      const { window } = eventMeanings[kind];
      if (window === null || place === null || !withoutSummerTime.includes(place.country)) continue;
      const hour = ((((position + zone.offsetAt(0)) / 3_600_000) % 24) + 24) % 24;
      // An event is at most two hours after the start of its window, so never after its end.
      expect(hour).toBeGreaterThanOrEqual(window[0] - 0.01);
      expect(hour).toBeLessThan(window[1] + 0.01);
    }
  }
});

it('covers every scenario of the catalogue', () => {
  const covered = new Set(
    [...manyJourneys('hermes', 1500), ...manyJourneys('yanwen', 1500)].map(
      ({ scenario, from, to }) => `${scenario} ${from !== to}`,
    ),
  );
  expect(covered).toEqual(new Set(scenarios.map(({ name, crossesBorder }) => `${name} ${crossesBorder}`)));
});

it('spells "out for delivery" in one way for each parcel, and in both ways over all parcels', () => {
  const spellings = manyJourneys('hermes').map(({ events }) => [
    ...new Set(
      events.map(({ recordStatus }) => recordStatus.core).filter((core) => /^(?:OUT_FOR|WAITING)_DELIVERY$/.test(core)),
    ),
  ]);
  expect(spellings.every((used) => used.length <= 1)).toBe(true);
  expect(new Set(spellings.flat())).toEqual(new Set(['OUT_FOR_DELIVERY', 'WAITING_DELIVERY']));
});
