import { formatInTimeZone } from 'date-fns-tz';
import { describe, expect, it } from 'vitest';
import { Zone } from '../../../src/service/clock/zone.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('a zone', () => {
  it.each([
    'Europe/Berlin',
    'America/New_York',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
    'UTC',
    'Etc/GMT+5',
  ])('%s has the offset at every hour in which clocks change, and before there were zones', (name) => {
    const zone = new Zone(name);
    const changes = Array.from({ length: 366 }, (_, index) => Date.UTC(2026, 0, 1) + index * day).filter(
      (at) => zone.offsetAt(at) !== zone.offsetAt(at + day),
    );
    const quarters = changes.flatMap((at) => Array.from({ length: 96 }, (_, index) => at + index * 15 * minute));
    for (const at of [...quarters, Date.UTC(1880, 5, 1), Date.UTC(1950, 5, 1), Date.UTC(2026, 11, 31)]) {
      const written = formatInTimeZone(at, name, "yyyy-MM-dd'T'HH:mm:ss'Z'");
      expect(new Date(zone.wallTime(at)).toISOString().replace('.000', '')).toBe(written);
    }
  });

  it.each(['', 'Europe/Atlantis', 'local'])('is refused under the name "%s"', (name) => {
    expect(() => new Zone(name)).toThrow(RangeError);
  });
});

it.each([
  ['Europe/Berlin', '2026-01-15T12:00:00Z', 60],
  ['Europe/Berlin', '2026-07-15T12:00:00Z', 120],
  ['Europe/Berlin', '2026-10-25T00:59:59Z', 120],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', 60],
  ['Europe/London', '2026-01-15T12:00:00Z', 0],
  ['America/New_York', '2026-07-15T12:00:00Z', -240],
  ['America/St_Johns', '2026-01-15T12:00:00Z', -210],
  ['America/Phoenix', '2026-07-15T12:00:00Z', -420],
  ['Asia/Kolkata', '2026-07-15T12:00:00Z', 330],
  ['Asia/Shanghai', '2026-07-15T12:00:00Z', 480],
  ['Australia/Sydney', '2026-01-15T12:00:00Z', 660],
])('reads the offset of %s at %s', (zone, at, minutes) => {
  expect(new Zone(zone).offsetAt(Date.parse(at)) / 60_000).toBe(minutes);
});
