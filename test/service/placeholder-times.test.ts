import { expect, test } from 'vitest';
import { Zone } from '../../src/lib/zone.ts';
import { fixture, seenRecord } from '../support/seen-record.ts';
import { decodeCheckpoint } from './decode-checkpoint.ts';

const local = '2026-11-23 13:28:00';
const settled = (fields: Record<string, string>) => {
  const { at, certain, local: time, offset } = decodeCheckpoint({ ...fields, eventDetail: 'Scan' }) ?? {};
  return { at, local: time, offset, certain };
};

test('a placeholder as UTC time of an event decides neither its age nor its day', () => {
  for (const name of ['Europe/Berlin', 'Pacific/Auckland', 'America/Los_Angeles']) {
    const look = { now: Date.parse('2026-11-23T07:30:00Z'), zone: new Zone(name) };
    const seen = seenRecord(fixture('record-event-with-a-placeholder-as-utc-time'), {}, look);
    expect(seen.json.lastEvent).toMatchObject({ at: '2026-11-23T05:28:00Z', local, offset: '+08:00', certain: false });
    expect(seen.json.stayDays).toBe(0);
    expect(seen.row).toMatch(/~2h/);
    expect(seen.row).not.toMatch(/\dy/);
    expect(seen.head.join('\n')).not.toContain('no movement');
    expect(seen.timeline.join('\n')).toContain('23 Nov');
  }
});

test.each<[string, Record<string, string>, ReturnType<typeof settled>]>([
  [
    'without a zone',
    { eventTime: local, eventTimeZeroUTC: '2024-01-01T00:00:00Z' },
    { at: null, local, offset: null, certain: false },
  ],
  [
    'of a year far ahead',
    { eventTime: local, eventTimeZeroUTC: '2099-12-31T00:00:00Z', timezone: '+08:00' },
    { at: '2026-11-23T05:28:00Z', local, offset: '+08:00', certain: false },
  ],
  ...['1970-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '0001-01-01 00:00:00', '1999-12-31T23:59:59Z'].map(
    (time): [string, Record<string, string>, ReturnType<typeof settled>] => [
      `of ${time}`,
      { eventTime: local, eventTimeZeroUTC: time, timezone: '+08:00' },
      { at: '2026-11-23T05:28:00Z', local, offset: '+08:00', certain: false },
    ],
  ),
  [
    'of 1970 alone',
    { eventTimeZeroUTC: '1970-01-01T00:00:00Z' },
    { at: null, local: null, offset: null, certain: false },
  ],
])('a UTC time that is a placeholder leaves the word to the local time: %s', (_name, fields, expected) => {
  expect(settled(fields)).toEqual(expected);
});

test.each(['1970-01-01 00:00:00', '0001-01-01T00:00:00Z', '1900-01-01 00:00:00'])(
  'a local time that is a placeholder does not win over a UTC time: %s',
  (eventTime) => {
    const eventTimeZeroUTC = '2026-11-23T05:28:00Z';
    expect(settled({ eventTime, eventTimeZeroUTC, timezone: '+08:00' })).toEqual({
      at: eventTimeZeroUTC,
      local: null,
      offset: '+08:00',
      certain: false,
    });
  },
);

test.each([
  ['a zone explains the gap of 14 h', { eventTime: '2026-11-23 19:28:00' }, true],
  ['they differ by less than a zone', { eventTime: local, timezone: '-05:00' }, false],
  ['a zone with the other sign is given', { eventTime: local, timezone: '-08:00' }, false],
])('UTC wins where %s', (_name, fields, certain) => {
  const eventTimeZeroUTC = '2026-11-23T05:28:00Z';
  expect(settled({ eventTimeZeroUTC, ...fields })).toMatchObject({ at: eventTimeZeroUTC, certain });
});
