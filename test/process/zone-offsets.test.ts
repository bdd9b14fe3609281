import { describe, expect, it } from 'vitest';
import { findSystemZone } from '../../src/process/system-zone.ts';
import { createReadOffsets } from '../../src/process/zone-offsets.ts';
import { Zone } from '../../src/service/clock/zone.ts';
import { rounds } from '../support/rounds.ts';

const readOffsets = createReadOffsets({ env: process.env, platform: 'linux' });
const quarterHour = 15 * 60_000;
const day = 96 * quarterHour;

describe('offsets as the process has them', () => {
  it.each([
    'Europe/Berlin',
    'Europe/London',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Pacific/Chatham',
    'Atlantic/Reykjavik',
    'Etc/GMT+5',
    'UTC',
    'europe/paris',
  ])('are those of what formats dates, in %s', (name) => {
    const [quick, formatted] = [new Zone(name, readOffsets), new Zone(name)];
    const days = Array.from({ length: rounds(731, 366) }, (_, index) => Date.UTC(2025, 11, 31) + index * day);
    const changes = days.filter((at) => formatted.offsetAt(at) !== formatted.offsetAt(at + day));
    const quarters = changes.flatMap((at) => Array.from({ length: 96 }, (_, index) => at + index * quarterHour));
    for (const at of [...days, ...quarters, Date.UTC(1880, 5, 1), Date.UTC(1950, 5, 1)]) {
      expect(quick.offsetAt(at), new Date(at).toISOString()).toBe(formatted.offsetAt(at));
    }
  });

  it('leave the process in the zone in which it was', () => {
    const before = process.env['TZ'];
    expect(readOffsets?.('Asia/Tokyo', [0])).toEqual([9 * 60 * 60_000]);
    expect(process.env['TZ']).toBe(before);
    expect(() => readOffsets?.('Asia/Tokyo', null as unknown as number[])).toThrow(TypeError);
    expect(process.env['TZ']).toBe(before);
  });

  it('are not read where dates may not follow the variable', () => {
    expect(createReadOffsets({ env: {}, platform: 'win32' })).toBeNull();
  });
});

describe('the zone of the machine', () => {
  const noLink = (): string => {
    throw new Error('EINVAL');
  };
  const find = (environment: Readonly<Record<string, string>>, readLink: () => string = noLink) =>
    findSystemZone({ environment, processEnvironment: process.env, readOffsets, readLink });

  it.each([
    [{ TZ: 'Europe/Berlin' }, 'Europe/Berlin'],
    [{ TZ: ':Europe/Berlin' }, 'Europe/Berlin'],
    [{ TZ: 'UTC' }, 'UTC'],
    [{ TZ: 'Atlantic/Reykjavik' }, 'Atlantic/Reykjavik'],
    [{ TZ: 'Mars/Olympus' }, 'UTC'],
  ])('%o is %s', (environment, zone) => {
    expect(find(environment, () => '/usr/share/zoneinfo/Asia/Tokyo')).toBe(zone);
  });

  it.each([
    '/usr/share/zoneinfo/Asia/Tokyo',
    '../usr/share/zoneinfo/Asia/Tokyo',
    '/var/db/timezone/zoneinfo/Asia/Tokyo',
  ])('is where %s leads when nothing names another one', (link) => {
    expect(find({}, () => link)).toBe('Asia/Tokyo');
  });

  it('is found otherwise where there is no such link', () => {
    const found = find({});
    expect(new Zone(found).name).toBe(found);
    expect(find({}, () => '/usr/share/zoneinfo/Mars/Olympus')).toBe(found);
  });
});
