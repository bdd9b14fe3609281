import { expect, test } from 'vitest';
import { decodeCheckpoint } from '../../src/service/decode-record.ts';

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

test('a UTC time that is none leaves the word to the local time', () => {
  const fields = {
    eventTimeZeroUTC: '9999-12-31T23:59:59-14:00',
    eventTime: '2026-11-20 12:00:00',
    timezone: '+01:00',
  };
  expect(decodeCheckpoint(fields)).toMatchObject({ at: '2026-11-20T11:00:00Z', certain: true });
});
