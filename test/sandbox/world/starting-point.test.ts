import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Zone } from '../../../src/lib/date-time.ts';
import { couriersByCode } from '../../../src/sandbox/couriers.ts';
import { planJourney } from '../../../src/sandbox/journey/journey.ts';
import { positionOf } from '../../../src/sandbox/world/registration.ts';
import { forAll } from '../../support/for-all.ts';
import { noon, upsNumber } from '../support.ts';

const hourMs = 3_600_000;

function journeyTo(subStatus: string) {
  const courier = couriersByCode.get('ups');
  if (courier === undefined) throw new Error('The courier is missing.');
  for (let index = 0; ; index += 1) {
    const journey = planJourney(7, upsNumber(index), courier, (name) => new Zone(name));
    if (journey.events.some((event) => event.subStatus === subStatus)) return journey;
  }
}

it('puts a parcel exactly as far before or after an event as requested if no shift is allowed', () => {
  const journey = journeyTo('DELIVERED_01');
  const event = journey.events.find(({ subStatus }) => subStatus === 'DELIVERED_01');
  const point = { subStatus: 'DELIVERED_01', byMs: hourMs, mayShift: false } as const;
  expect(positionOf(journey, { ...point, side: 'before' }, noon)).toBe((event?.position ?? 0) - hourMs);
  expect(positionOf(journey, { ...point, side: 'after' }, noon)).toBe((event?.position ?? 0) + hourMs);
});

it('never shifts a parcel across an event', () => {
  const journey = journeyTo('ABNORMAL_02');
  forAll(
    fc.constantFrom(...journey.events.map(({ subStatus }) => subStatus)),
    fc.integer({ min: 0, max: 48 * hourMs }),
    fc.integer({ min: noon, max: noon + 48 * hourMs }),
    (subStatus, byMs, at) => {
      const pastEvents = (mayShift: boolean): number => {
        const position = positionOf(journey, { subStatus, side: 'after', byMs, mayShift }, at) ?? Number.NaN;
        return journey.events.filter((event) => event.position <= position).length;
      };
      expect(pastEvents(true)).toBe(pastEvents(false));
    },
  );
});
