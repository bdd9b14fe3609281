import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockText, dateInZone, daysAhead, nextMidnight, shortClockText } from '../../../src/board/time.ts';
import { Zone } from '../../../src/lib/date-time.ts';
import { forAll } from '../../support/for-all.ts';
import { berlin, day, hour, now } from '../parcels.ts';

const zones = [
  berlin,
  new Zone('UTC'),
  new Zone('America/New_York'),
  new Zone('America/St_Johns'),
  new Zone('Asia/Kathmandu'),
  new Zone('Pacific/Kiritimati'),
  new Zone('Pacific/Apia'),
  new Zone('Australia/Lord_Howe'),
  new Zone('Africa/Cairo'),
  new Zone('America/Santiago'),
];

const anyInstant = fc.integer({ min: Date.parse('2010-01-01'), max: Date.parse('2040-01-01') });

describe('clockText', () => {
  it.each([
    ['2026-11-21T13:20:00Z', '14:20'],
    ['2026-11-21T22:59:00Z', '23:59'],
    ['2026-11-21T23:00:00Z', 'Sun 00:00'],
    ['2026-11-16T13:20:00Z', 'Mon 14:20'],
    ['2026-12-24T13:20:00Z', '24 Dec'],
    ['2027-11-24T13:20:00Z', 'Nov 2027'],
  ])('shows %s in Berlin as %s', (at, text) => expect(clockText(Date.parse(at), now, berlin)).toBe(text));

  it('shows the same time for both hours when clocks go back', () => {
    const day = Date.parse('2026-10-25T12:00:00Z');
    expect(clockText(Date.parse('2026-10-25T00:30:00Z'), day, berlin)).toBe('02:30');
    expect(clockText(Date.parse('2026-10-25T01:30:00Z'), day, berlin)).toBe('02:30');
  });

  it('skips the hour that does not exist when clocks go forward', () => {
    const day = Date.parse('2026-03-29T12:00:00Z');
    expect(clockText(Date.parse('2026-03-29T00:59:00Z'), day, berlin)).toBe('01:59');
    expect(clockText(Date.parse('2026-03-29T01:00:00Z'), day, berlin)).toBe('03:00');
  });

  it('takes at most nine cells, and six in its short form', () =>
    forAll(anyInstant, anyInstant, fc.constantFrom(...zones), (at, from, zone) => {
      expect(clockText(at, from, zone).length).toBeLessThanOrEqual(9);
      expect(shortClockText(at, from, zone).length).toBeLessThanOrEqual(6);
    }));
});

it('shortClockText shows the time of day while that is unambiguous, and the calendar day after that', () => {
  expect(shortClockText(Date.parse('2026-11-21T13:20:00Z'), now, berlin)).toBe('14:20');
  expect(shortClockText(Date.parse('2026-11-21T23:00:00Z'), now, berlin)).toBe('00:00');
  expect(shortClockText(now + 12 * hour, now, berlin)).toBe('01:42');
  expect(shortClockText(now + day, now, berlin)).toBe('Sun');
  expect(shortClockText(now + 2 * day, now, berlin)).toBe('Mon');
  expect(shortClockText(now + 10 * day, now, berlin)).toBe('1 Dec');
  expect(shortClockText(now + 60 * day, now, berlin)).toBe('2027');
  expect(shortClockText(Date.parse('2026-11-20T12:00:00Z'), now, berlin)).toBe('late');
});

it('daysAhead counts calendar days, not periods of 24 hours', () => {
  expect(daysAhead(now + 12 * hour, now, berlin)).toBe(1);
  expect(daysAhead(now - 14 * hour, now, berlin)).toBe(-1);
});

describe('nextMidnight', () => {
  it('is the start of the next day', () =>
    forAll(anyInstant, fc.constantFrom(...zones), (at, zone) => {
      const midnight = nextMidnight(at, zone);
      expect(midnight).toBeGreaterThan(at);
      expect(dateInZone(midnight, zone) > dateInZone(at, zone)).toBe(true);
      expect(dateInZone(midnight - 1, zone)).toBe(dateInZone(at, zone));
    }));

  it('is found if clocks go forward at midnight', () => {
    expect(nextMidnight(Date.parse('2024-04-25T12:00:00Z'), new Zone('Africa/Cairo'))).toBe(
      Date.parse('2024-04-25T22:00:00Z'),
    );
  });

  it('is found across the day that Samoa skipped', () => {
    const at = Date.parse('2011-12-30T05:00:00Z');
    const midnight = nextMidnight(at, new Zone('Pacific/Apia'));
    expect(dateInZone(at, new Zone('Pacific/Apia'))).toBe('2011-12-29');
    expect(dateInZone(midnight, new Zone('Pacific/Apia'))).toBe('2011-12-31');
    expect(midnight - at).toBeLessThanOrEqual(day);
  });
});
