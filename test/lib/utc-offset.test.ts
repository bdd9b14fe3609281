import { describe, expect, test } from 'vitest';
import { formatOffset, parseOffset } from '../../src/lib/date-time.ts';

describe('offset', () => {
  test.each([
    ['+08:00', 480],
    ['+0800', 480],
    ['+8', 480],
    ['-05:30', -330],
    ['UTC+2', 120],
    ['Z', 0],
    ['-00:00', 0],
  ])('offset %s is %i minutes', (text, minutes) => {
    expect(parseOffset(text)).toBe(minutes);
  });

  test.each(['CET', '+25:00', '', '+05:99', 'Europe/Berlin'])('offset "%s" is not known', (text) => {
    expect(parseOffset(text)).toBeNull();
  });

  test('offsets are written with their sign', () => {
    expect([0, 330, -570].map(formatOffset)).toEqual(['+00:00', '+05:30', '-09:30']);
  });
});
