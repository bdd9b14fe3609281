import { expect, it } from 'vitest';
import { countries, placesByCountry } from '../../src/sandbox/journey/places.ts';

const places = [...placesByCountry.values()].flat();

it('knows at least 40 countries with two towns or more each', () => {
  expect(countries.length).toBeGreaterThanOrEqual(40);
  for (const country of countries) expect(placesByCountry.get(country)?.length).toBeGreaterThanOrEqual(2);
});

it('gives every town a name and a zone that exists', () => {
  for (const { name, country, zone } of places) {
    expect(name).not.toBe('');
    expect(country).toMatch(/^[A-Z]{2}$/);
    expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
  }
});
