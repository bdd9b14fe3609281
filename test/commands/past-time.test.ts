import { describe, expect, it } from 'vitest';
import { readPastTime } from '../../src/commands/changes.ts';
import { Zone } from '../../src/lib/date-time.ts';

const read = (text: string, now: string, zone = 'Europe/Berlin'): string | null => {
  const at = readPastTime(text, Date.parse(now), new Zone(zone));
  return at === null ? null : new Date(at).toISOString();
};
/** A Sunday, nine in the morning in Berlin. */
const sunday = '2026-11-22T08:00:00Z';

describe('a time in the past', () => {
  it.each([
    ['2026-11-18', '2026-11-17T23:00:00.000Z'],
    ['2026-11-18 09:30', '2026-11-18T08:30:00.000Z'],
    ['2026-11-18T09:30:00Z', '2026-11-18T09:30:00.000Z'],
    ['2026-11-18T09:30:00.250Z', '2026-11-18T09:30:00.250Z'],
    ['2026-11-18T09:30:00-05:00', '2026-11-18T14:30:00.000Z'],
    ['today', '2026-11-21T23:00:00.000Z'],
    ['Yesterday', '2026-11-20T23:00:00.000Z'],
    ['2 days ago', '2026-11-19T23:00:00.000Z'],
    ['last week', '2026-11-14T23:00:00.000Z'],
    ['friday', '2026-11-19T23:00:00.000Z'],
    ['sunday', '2026-11-21T23:00:00.000Z'],
    ['monday', '2026-11-15T23:00:00.000Z'],
    ['monday 9:00', '2026-11-16T08:00:00.000Z'],
    ['yesterday 18:30', '2026-11-21T17:30:00.000Z'],
    ['8:00', '2026-11-22T07:00:00.000Z'],
    ['9:00', '2026-11-22T08:00:00.000Z'],
    ['10:00', '2026-11-21T09:00:00.000Z'],
    ['9am', '2026-11-22T08:00:00.000Z'],
    ['3 hours ago', '2026-11-22T05:00:00.000Z'],
    ['now', '2026-11-22T08:00:00.000Z'],
    ['18 november', '2026-11-17T23:00:00.000Z'],
    ['dec 24', '2025-12-23T23:00:00.000Z'],
    [' friday ', '2026-11-19T23:00:00.000Z'],
  ])('is read from "%s" in the viewer\'s zone', (text, expected) => expect(read(text, sunday)).toBe(expected));

  it("depends on the day in the viewer's zone", () => {
    expect(read('today', '2026-11-22T12:00:00Z', 'Pacific/Auckland')).toBe('2026-11-22T11:00:00.000Z');
    expect(read('today', '2026-11-22T03:00:00Z', 'America/Los_Angeles')).toBe('2026-11-21T08:00:00.000Z');
    expect(read('yesterday', '2026-11-22T12:00:00Z', 'Asia/Kathmandu')).toBe('2026-11-20T18:15:00.000Z');
  });

  it('counts days by the calendar and hours by the clock across a clock change', () => {
    // Clocks were set back on the 25th, so the night was an hour longer.
    expect(read('2 days ago', '2026-10-26T08:00:00Z')).toBe('2026-10-23T22:00:00.000Z');
    expect(read('24 hours ago', '2026-10-25T20:00:00Z')).toBe('2026-10-24T20:00:00.000Z');
    expect(read('yesterday 9:00', '2026-10-26T08:00:00Z')).toBe('2026-10-25T08:00:00.000Z');
  });

  it.each(['', 'soon', 'the parcel of friday', 'friday or so', '11/10', '2026-02-30', 'monday to friday', '-1', '1.5'])(
    'cannot be read from "%s"',
    (text) => {
      expect(read(text, sunday)).toBeNull();
    },
  );
});
