import { describe, expect, it } from 'vitest';
import { dayMs as day, minuteMs as minute } from '../../src/lib/clock.ts';
import { Zone } from '../../src/lib/date-time.ts';
import { rounds } from '../support/rounds.ts';

/** Returns a function for a zone's offset from UTC, according to the runtime's date formatting. */
function runtimeOffset(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return (at) => {
    const [, sign = '+', ...parts] = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(format.format(at)) ?? [];
    const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
    return (sign === '-' ? -1 : 1) * ((hours * 60 + minutes) * minute + seconds * 1_000) + 0;
  };
}

describe('a zone', () => {
  it.each([
    'Europe/Berlin',
    'Europe/London',
    'America/New_York',
    'America/St_Johns',
    'Africa/Casablanca',
    'America/Phoenix',
    'Asia/Kathmandu',
    'Asia/Shanghai',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
    'Pacific/Apia',
    'Atlantic/Reykjavik',
    'UTC',
    'Etc/GMT+5',
    'europe/paris',
    '+05:45',
  ])("has the runtime's offset, even across clock changes and before zones existed: %s", (name) => {
    const [zone, offset] = [new Zone(name), runtimeOffset(name)];
    const days = Array.from({ length: rounds(731, 366) }, (_, index) => Date.UTC(2025, 11, 31) + index * day);
    const changes = [...days, Date.UTC(2011, 11, 30)].filter((at) => offset(at) !== offset(at + day));
    const quarters = changes.flatMap((at) => Array.from({ length: 96 }, (_, index) => at + index * 15 * minute));
    const beforeZones = ['0001-01-01T00:00:00Z', '0000-06-01', '-100000-01-01T00:00:00Z', '1880-06-01', '1950-06-01'];
    const farAway = ['1970-01-01', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', '+200000-07-01T00:00:00Z'];
    for (const at of [...days, ...quarters, ...[...beforeZones, ...farAway].map(Date.parse)]) {
      expect(zone.offsetAt(at), `${at}`).toBe(offset(at));
    }
  });

  it('returns the offset at the limits of Date, and NaN beyond them', () => {
    const zone = new Zone('America/New_York');
    expect(zone.offsetAt(8.64e15)).toBe(-240 * minute);
    expect(zone.offsetAt(-8.64e15)).toBe(runtimeOffset('America/New_York')(-8.64e15));
    expect(zone.wallTime(8.64e15 + day)).toBeNaN();
    expect(zone.wallTime(Number.NaN)).toBeNaN();
  });

  it.each(['', 'Europe/Atlantis', 'local'])('rejects the name "%s"', (name) => {
    expect(() => new Zone(name)).toThrow(RangeError);
  });
});
