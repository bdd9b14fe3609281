import { describe, expect, it } from 'vitest';
import { Zone } from '../../src/lib/date-time.ts';
import { isQuiet, parseQuietHours, type QuietHours, quietHoursText, quietUntil } from '../../src/notify/silence.ts';

const berlin = new Zone('Europe/Berlin');
const hours = (text: string): QuietHours => {
  const parsed = parseQuietHours(text);
  if (parsed === null) throw new Error(`${text} is not valid`);
  return parsed;
};
const until = (text: string, now: string, zone = berlin): string | null => {
  const end = quietUntil(hours(text), Date.parse(now), zone);
  return end === null ? null : new Date(end).toISOString();
};

describe('quiet hours', () => {
  it.each(['22:00-07:00', '7:05 - 9:30', '00:00–23:59'])('can be written as %j', (text) => {
    expect(parseQuietHours(quietHoursText(hours(text)))).toEqual(hours(text));
  });

  it.each(['', '22-7', '24:00-07:00', '22:60-07:00', '22:00', '22:00-22:00', 'night'])(
    'cannot be written as %j',
    (text) => {
      expect(parseQuietHours(text)).toBeNull();
    },
  );

  it.each([
    ['22:00-07:00', '2026-11-21T20:59:59Z', false],
    ['22:00-07:00', '2026-11-21T21:00:00Z', true],
    ['22:00-07:00', '2026-11-22T05:59:59Z', true],
    ['22:00-07:00', '2026-11-22T06:00:00Z', false],
    ['12:00-14:00', '2026-11-22T11:30:00Z', true],
    ['12:00-14:00', '2026-11-22T13:00:00Z', false],
  ])('follow the local time in Berlin: %s at %s is %j', (text, at, expected) => {
    expect(isQuiet(hours(text), Date.parse(at), berlin)).toBe(expected);
  });

  it('end at the right time, even after midnight', () => {
    expect(until('22:00-07:00', '2026-11-21T21:30:10Z')).toBe('2026-11-22T06:00:00.000Z');
    expect(until('12:00-14:00', '2026-11-21T12:59:59Z')).toBe('2026-11-21T13:00:00.000Z');
    expect(until('22:00-07:00', '2026-11-21T12:00:00Z')).toBeNull();
  });

  it('end at the right time across a clock change', () => {
    expect(until('22:00-07:00', '2027-03-27T22:00:00Z')).toBe('2027-03-28T05:00:00.000Z');
    expect(until('22:00-07:00', '2027-10-30T21:00:00Z')).toBe('2027-10-31T06:00:00.000Z');
  });

  it('end correctly in zones with half-hour offsets', () => {
    expect(until('22:00-07:00', '2026-11-21T18:00:00Z', new Zone('Asia/Kolkata'))).toBe('2026-11-22T01:30:00.000Z');
  });
});
