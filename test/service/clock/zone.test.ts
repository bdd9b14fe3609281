import { expect, it } from 'vitest';
import { Zone } from '../../../src/service/clock/zone.ts';

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
