import { describe, expect, it } from 'vitest';
import { zoneOfMachine } from '../../src/lib/date-time.ts';
import { findSystemZone } from '../../src/system/clock.ts';

describe("the machine's zone", () => {
  const noLink = (): string => {
    throw new Error('EINVAL');
  };
  const mustNotBeCalled = (): string => {
    throw new Error('This is slow and must not be called.');
  };
  const find = (
    tz: string | undefined,
    readLink: () => string,
    formattedZone: () => string | undefined = mustNotBeCalled,
  ) => zoneOfMachine(findSystemZone({ tz, readLink, formattedZone }));

  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    [':Europe/Berlin', 'Europe/Berlin'],
    ['posix/Europe/Berlin', 'Europe/Berlin'],
    [':/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Atlantic/Reykjavik', 'Atlantic/Reykjavik'],
    ['UTC', 'UTC'],
    ['Etc/UTC', 'UTC'],
    ['Mars/Olympus', 'UTC'],
    ['CET-1CEST', 'UTC'],
    // Intl reads this with the opposite sign.
    ['+03', 'UTC'],
    ['', 'UTC'],
    [':', 'UTC'],
  ])('for TZ=%s is %s', (tz, zone) => expect(find(tz, () => '/usr/share/zoneinfo/Asia/Tokyo')).toBe(zone));

  it.each([
    ['/usr/share/zoneinfo/Asia/Tokyo', 'Asia/Tokyo'],
    ['../usr/share/zoneinfo/Asia/Tokyo', 'Asia/Tokyo'],
    ['/var/db/timezone/zoneinfo/Asia/Tokyo', 'Asia/Tokyo'],
    ['/usr/share/zoneinfo/posix/Asia/Tokyo', 'Asia/Tokyo'],
    ['/usr/share/zoneinfo/Etc/UTC', 'UTC'],
    ['/usr/share/zoneinfo/Mars/Olympus', 'UTC'],
  ])('follows the link to %s without TZ: %s', (link, zone) => {
    expect(find(undefined, () => link)).toBe(zone);
  });

  it.each([':/etc/localtime', '/etc/localtime'])('follows the link if TZ=%s names it', (tz) => {
    expect(find(tz, () => '/usr/share/zoneinfo/Asia/Tokyo')).toBe('Asia/Tokyo');
  });

  it('falls back to Intl’s zone without a link', () => {
    expect(find(undefined, noLink, () => 'Asia/Tokyo')).toBe('Asia/Tokyo');
    expect(
      find(
        undefined,
        () => '/home/ann/localtime',
        () => 'Asia/Tokyo',
      ),
    ).toBe('Asia/Tokyo');
    expect(find(undefined, noLink, () => 'Etc/Unknown')).toBe('UTC');
    expect(find(undefined, noLink, () => undefined)).toBe('UTC');
  });
});
