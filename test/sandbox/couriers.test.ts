import { expect, it } from 'vitest';
import { couriers, couriersByCode, trackingLink } from '../../src/sandbox/couriers.ts';
import { placesByCountry } from '../../src/sandbox/journey/places.ts';

it('knows at least 80 couriers, each with its own code', () => {
  expect(couriers.length).toBeGreaterThanOrEqual(80);
  expect(couriersByCode.size).toBe(couriers.length);
});

it.each(couriers.map((courier) => [courier.code, courier] as const))('has complete data for %s', (code, courier) => {
  expect(code).toMatch(/^[a-z0-9-]+$/);
  expect(courier.nameEN).not.toBe('');
  expect(courier.nameCN).not.toBe('');
  expect(new URL(courier.homePage).protocol).toBe('https:');
  expect(courier.linkTemplate.split('{trackNo}')).toHaveLength(2);
  expect(URL.canParse(trackingLink(courier, 'AB 1/2'))).toBe(true);
  expect(placesByCountry.has(courier.country)).toBe(true);
});

it('escapes the number in the tracking link', () => {
  const courier = couriersByCode.get('ups');
  expect(courier && trackingLink(courier, 'A&B 1')).toBe('https://www.ups.com/track?tracknum=A%26B%201');
});
