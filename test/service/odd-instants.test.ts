import { expect, test } from 'vitest';
import { decodeCheckpoint } from './decode-checkpoint.ts';

test.each([
  ['a UTC time that an offset moves beyond the year 9999', { eventTimeZeroUTC: '9999-12-31T23:59:59-14:00' }],
  ['a UTC time that an offset moves before the year 0', { eventTimeZeroUTC: '0000-01-01T00:00:00+14:00' }],
  ['a local time that its offset moves there', { eventTime: '9999-12-31 23:59:59', timezone: '-10:00' }],
])('%s is no instant, since its text would have more digits than all others', (_name, fields) => {
  expect(decodeCheckpoint({ ...fields, eventDetail: 'odd' })).toMatchObject({
    at: null,
    certain: false,
    detail: 'odd',
  });
});

test('a local time that its own zone moves beyond the year 9999 is kept as it was written', () => {
  const fields = {
    eventTime: '9999-12-31T23:59:59-14:00',
    timezone: '+01:00',
    eventTimeZeroUTC: '2026-11-20T11:15:00Z',
  };
  expect(decodeCheckpoint(fields)).toMatchObject({ at: '2026-11-20T11:15:00Z', local: '9999-12-31T23:59:59-14:00' });
});

test('a UTC time that is none leaves the word to the local time', () => {
  const fields = {
    eventTimeZeroUTC: '9999-12-31T23:59:59-14:00',
    eventTime: '2026-11-20 12:00:00',
    timezone: '+01:00',
  };
  expect(decodeCheckpoint(fields)).toMatchObject({ at: '2026-11-20T11:00:00Z', certain: true });
});

test.each([
  ['a T', { eventTime: '2026-11-20T18:02:00', timezone: '+01:00' }, '2026-11-20T17:02:00Z', '+01:00'],
  ['no seconds', { eventTime: '2026-11-20 18:02', timezone: '+01:00' }, '2026-11-20T17:02:00Z', '+01:00'],
  ['a T and no seconds', { eventTime: '2026-11-20T18:02', timezone: '-05:00' }, '2026-11-20T23:02:00Z', '-05:00'],
  ['a Z', { eventTime: '2026-11-20T18:02:00Z' }, '2026-11-20T18:02:00Z', '+00:00'],
  ['a Z and no seconds', { eventTime: '2026-11-20T18:02Z' }, '2026-11-20T18:02:00Z', '+00:00'],
  ['an offset of its own', { eventTime: '2026-11-20 18:02:00+0800' }, '2026-11-20T10:02:00Z', '+08:00'],
  ['parts of a second and a Z', { eventTime: '2026-11-20T18:02:00.123Z' }, '2026-11-20T18:02:00Z', '+00:00'],
])('a local time with %s is read as an instant', (_name, fields, at, offset) => {
  expect(decodeCheckpoint({ ...fields, eventDetail: 'Scan' })).toMatchObject({ at, offset, certain: true });
});

test('a local time with a zone of its own is reported on the clock of where it was', () => {
  const fields = { eventTime: '2026-11-20T18:02:00Z', timezone: '+08:00' };
  expect(decodeCheckpoint(fields)).toMatchObject({
    at: '2026-11-20T18:02:00Z',
    local: '2026-11-21 02:02:00',
    offset: '+08:00',
    certain: true,
  });
});

test('a Z behind local time is no zone where UTC time and offset say so', () => {
  const fields = {
    eventTime: '2026-11-20T18:02:00Z',
    timezone: '+08:00',
    eventTimeZeroUTC: '2026-11-20T10:02:00Z',
  };
  expect(decodeCheckpoint(fields)).toMatchObject({
    at: '2026-11-20T10:02:00Z',
    local: '2026-11-20 18:02:00',
    certain: true,
  });
});

test.each(['2026-11-20T10:02:00', '2026-11-20 10:02:00', '2026-11-20T10:02', '2026-11-20 10:02'])(
  'UTC time without its Z, %s, is UTC time',
  (eventTimeZeroUTC) => {
    expect(decodeCheckpoint({ eventTimeZeroUTC, eventDetail: 'Scan' })).toMatchObject({
      at: '2026-11-20T10:02:00Z',
      certain: true,
    });
    const local = { eventTime: '2026-11-20 18:02:00', timezone: '+01:00' };
    expect(decodeCheckpoint({ eventTimeZeroUTC, ...local })).toMatchObject({
      at: '2026-11-20T10:02:00Z',
      certain: false,
    });
  },
);

test.each(['18:02', '2026-11-20', '20.11.2026 18:02', '2026-11-20T18', '2026-11-20T18:02 CET'])(
  'a local time that is no date with a time, %s, is kept as it is',
  (eventTime) => {
    expect(decodeCheckpoint({ eventTime, timezone: '+01:00' })).toMatchObject({ at: null, local: eventTime });
  },
);
