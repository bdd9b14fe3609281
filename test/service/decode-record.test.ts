import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type Clock, dayMs as day } from '../../src/lib/clock.ts';
import { Zone } from '../../src/lib/date-time.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../src/lib/json.ts';
import { createTrackingService } from '../../src/service/client.ts';
import type { Checkpoint } from '../../src/service/record.ts';
import { readExpectedDelivery } from '../../src/service/status.ts';
import { decodeRecord } from '../support/decoded-record.ts';
import { forAll } from '../support/for-all.ts';
import { realClock } from '../support/real-clock.ts';
import { renderRecord, fixture as sentRecord } from '../support/render-record.ts';
import { json, startScriptedServer } from '../support/scripted-server.ts';

const fixture = (name: string): JsonValue =>
  parseJson(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));

/** Decodes a record's only checkpoint. Returns null if it is invalid. */
function decodeCheckpoint(received: JsonValue, now = Number.POSITIVE_INFINITY): Checkpoint | null {
  const record = decodeRecord({ trackNo: 'CHECKPOINT1', localLogisticsInfo: { trackingDetails: [received] } }, now);
  return record?.checkpoints[0] ?? null;
}

describe('decodeRecord', () => {
  test('returns an empty record if all optional fields are missing', () => {
    const record = decodeRecord(fixture('record-every-optional-field-missing'));
    expect(record).toMatchObject({
      trackNo: 'LX123456789CN',
      transitStatus: null,
      nextUpdateTime: null,
      checkpoints: [],
    });
  });

  test('reads further details from couriers and merchants if there are any', () => {
    const reported = {
      trackNo: 'LX1',
      deliveredTime: '2026-11-20 21:14:00',
      orderNo: '',
      remark: 'fra\u001b[31mgile',
      expectedDelivery: '2026-11-23',
      extraInfo: { pieces: '2', signedBy: 'Müller', serviceCode: 7, dimensions: null, weight: '1.2 kg' },
      localLogisticsInfo: {
        trackingDetails: [
          { eventDetail: '航班已起飞', eventDetailTranslation: 'The flight has departed' },
          { eventDetail: 'Delivered', eventDetailTranslation: 'Delivered' },
        ],
      },
    };
    const record = decodeRecord(reported);
    expect(record).toMatchObject({
      deliveredTime: '2026-11-20 21:14:00',
      remark: 'fragile',
      expectedDelivery: { kind: 'day', date: '2026-11-23' },
      pieces: 2,
      signedBy: 'Müller',
      serviceCode: '7',
      weight: '1.2 kg',
    });
    expect(record).not.toHaveProperty('orderNo');
    expect(record).not.toHaveProperty('dimensions');
    expect(record?.checkpoints.map(({ translation }) => translation)).toEqual(['The flight has departed', undefined]);
  });

  test('treats null as missing', () => {
    const { received: _a, ...missing } = decodeRecord(fixture('record-every-optional-field-missing')) ?? {};
    const { received: _b, ...withNulls } = decodeRecord(fixture('record-every-field-null')) ?? {};
    expect(withNulls).toEqual(missing);
  });

  test('drops only the fields with a wrong type, and keeps every digit of an id', () => {
    const record = decodeRecord(fixture('record-every-field-of-a-wrong-type'));
    expect(record).toMatchObject({
      id: '229255084490768384',
      trackNo: '123456789012',
      transitStatus: null,
      trackingStatus: '1',
      transitDays: 12,
      stayDays: null,
      courierCode: '7',
    });
    expect(record?.checkpoints.map((checkpoint) => checkpoint.detail)).toEqual(['still here']);
  });

  test('removes escape sequences from every field and from the raw record', () => {
    const record = decodeRecord(fixture('record-escape-sequences-in-its-text'));
    expect(record?.checkpoints[0]).toMatchObject({ address: 'Shenzhen', detail: 'Left the country' });
    expect(record).toMatchObject({ courierNameEN: 'Yanwen', courierHomePage: null, shipmentType: 'FastLane' });
    expect(record?.courierTrackingLink).toBe('https://track.example/?n=LX123456789CN');
    expect(JSON.stringify(record)).not.toMatch(/\\u00|\\r|\\n|\u202e|\u009b/);
  });

  test('keeps an unknown status as received', () => {
    expect(decodeRecord(fixture('record-unknown-status'))?.transitStatus).toBe('TELEPORTED');
  });
});

describe('decodeCheckpoint', () => {
  const base = { address: '', eventDetail: 'Departed', transitSubStatus: 'IN_TRANSIT_01' };

  test('takes the instant from the UTC time', () => {
    const checkpoint = decodeCheckpoint({
      ...base,
      eventTime: '2026-11-20 18:02:00',
      eventTimeZeroUTC: '2026-11-20T10:02:00Z',
      timezone: '+08:00',
    });
    expect(checkpoint).toEqual({
      at: '2026-11-20T10:02:00Z',
      local: '2026-11-20 18:02:00',
      offset: '+08:00',
      certain: true,
      address: null,
      detail: 'Departed',
      subStatus: 'IN_TRANSIT_01',
    });
  });

  test('returns every instant in the same format, however it was sent', () => {
    const parts = fc.tuple(
      fc.integer({ min: 2000, max: 2100 }),
      fc.integer({ min: 1, max: 12 }),
      fc.nat(27),
      fc.nat(86_399),
    );
    const instants = fc.oneof(
      parts.map(([year, month, day, second]) => Date.UTC(year, month - 1, day + 1, 0, 0, second)),
      fc.constantFrom(Date.UTC(2024, 1, 29), Date.UTC(2026, 0, 31, 23, 59, 59), Date.UTC(2026, 11, 31)),
    );
    forAll(instants, (at) => {
      const written = new Date(at).toISOString().replace('.000Z', 'Z');
      for (const reported of [written, written.replace('T', ' '), written.replace('Z', '+00:00')]) {
        expect(decodeCheckpoint({ ...base, eventTimeZeroUTC: reported })?.at).toBe(written);
      }
    });
  });

  test('returns no instant for a day that does not exist', () => {
    const reported = (eventTimeZeroUTC: string): string | null | undefined =>
      decodeCheckpoint({ ...base, eventTimeZeroUTC })?.at;
    expect(reported('2026-13-01T00:00:00Z') ?? null).toBeNull();
    expect(reported('2026-01-01T24:30:00Z') ?? null).toBeNull();
    expect(reported('2026-02-30T10:00:00Z')).not.toBe('2026-02-30T10:00:00Z');
  });

  test('takes the instant from the local time and the offset, however written, if there is no UTC time', () => {
    for (const timezone of ['+08:00', '+0800', '+8']) {
      const checkpoint = decodeCheckpoint({ ...base, eventTime: '2026-11-20 18:02:00', timezone });
      expect(checkpoint).toMatchObject({ at: '2026-11-20T10:02:00Z', offset: '+08:00', certain: true });
    }
  });

  test('does not guess a missing zone', () => {
    const checkpoint = decodeCheckpoint({ ...base, eventTime: '2026-11-20 18:02:00' });
    expect(checkpoint).toMatchObject({ at: null, local: '2026-11-20 18:02:00', offset: null, certain: false });
  });

  test('prefers the UTC time if the two contradict each other, and marks it as uncertain', () => {
    const checkpoint = decodeCheckpoint({
      ...base,
      eventTime: '2026-11-20 18:02:00',
      eventTimeZeroUTC: '2026-11-20T23:02:00Z',
      timezone: '+08:00',
    });
    expect(checkpoint).toMatchObject({ at: '2026-11-20T23:02:00Z', certain: false });
  });

  test('accepts a difference of a minute as rounding', () => {
    const checkpoint = decodeCheckpoint({
      ...base,
      eventTime: '2026-11-20 18:02:59',
      eventTimeZeroUTC: '2026-11-20T10:02:00Z',
      timezone: '+08:00',
    });
    expect(checkpoint?.certain).toBe(true);
  });
});

describe("a record's expected delivery", () => {
  it('is a window in UTC if the service gives an offset', () => {
    const reported = { start: '2026-11-23 09:00:00', end: '2026-11-23 12:00:00', timezone: '-05:00' };
    expect(readExpectedDelivery({ expectedDelivery: '2026-11-23', expectedDeliveryTime: reported })).toEqual({
      kind: 'window',
      from: '2026-11-23T14:00:00Z',
      to: '2026-11-23T17:00:00Z',
      offset: '-05:00',
    });
  });

  it.each<[string, JsonObject]>([
    ['no end', { start: '2026-11-23 09:00:00', timezone: '+00:00' }],
    ['an end before its start', { start: '2026-11-23 09:00:00', end: '2026-11-22 09:00:00', timezone: '+00:00' }],
  ])('is a point in time for a window with %s', (_name, expectedDeliveryTime) => {
    expect(readExpectedDelivery({ expectedDeliveryTime })).toMatchObject({ kind: 'window', to: null });
  });

  it.each<[string, JsonObject]>([
    ['only a date', { expectedDelivery: '2026-11-23' }],
    ['a time without an offset', { expectedDeliveryTime: { start: '2026-11-23 09:00:00' } }],
    ['a date with a time', { expectedDelivery: '2026-11-23 00:00:00', expectedDeliveryTime: null }],
  ])('is a day for %s', (_name, received) => {
    expect(readExpectedDelivery(received)).toEqual({ kind: 'day', date: '2026-11-23' });
  });

  it.each<JsonObject>([
    {},
    { expectedDelivery: '' },
    { expectedDelivery: null, expectedDeliveryTime: [] },
    { expectedDelivery: 'soon' },
    { expectedDelivery: '2026-02-31' },
    { expectedDelivery: '2026-11-231' },
    { expectedDeliveryTime: { start: 5, timezone: '+01:00' } },
  ])('is unknown for %j', (received) => expect(readExpectedDelivery(received)).toBeNull());
});

/** Whether an event from this long ago counts as a future event on a machine whose clock is off by this much. */
async function isFuture(eventAgoMs: number, clockOffMs: number): Promise<boolean> {
  const eventTimeZeroUTC = new Date(realClock.now() - eventAgoMs).toISOString();
  const record = { trackNo: 'LX1', localLogisticsInfo: { trackingDetails: [{ eventTimeZeroUTC, eventDetail: 'x' }] } };
  const data = { accepted: { content: [record] }, rejected: [] };
  // Responses have a Date header from a correct clock.
  const server = await startScriptedServer(json({ code: '00000', msg: 'Success', traceId: 'a'.repeat(32), data }));
  const clock: Clock = {
    now: () => realClock.now() + clockOffMs,
    setTimer: (delay, task) => realClock.setTimer(delay, task),
  };
  const service = createTrackingService({
    baseUrl: server.baseUrl,
    apiKey: 'k',
    header: 'Service-Api-Secret',
    clock,
    timeoutMs: 60_000,
  });
  try {
    const { records } = await service.query([{ trackNo: 'LX1', courierCode: null }]);
    return records[0]?.checkpoints[0]?.future === true;
  } finally {
    await service.close();
    await server.close();
  }
}

it.each([
  ['40 days ahead as a future one', -40 * day, 0, true],
  ['20 hours ahead as a past one', -20 * 3_600_000, 0, false],
  ['from an hour ago as a past one, even if our clock was reset', 3_600_000, -9_000 * day, false],
  ['40 days ahead as a future one, even if our clock was reset', -40 * day, -9_000 * day, true],
])('counts an event %s', async (_, eventAgoMs, clockOffMs, expected) => {
  expect(await isFuture(eventAgoMs, clockOffMs)).toBe(expected);
});

test.each([
  ['a UTC time that an offset moves beyond the year 9999', { eventTimeZeroUTC: '9999-12-31T23:59:59-14:00' }],
  ['a UTC time that an offset moves before the year 0', { eventTimeZeroUTC: '0000-01-01T00:00:00+14:00' }],
  ['a local time that its offset moves beyond the year 9999', { eventTime: '9999-12-31 23:59:59', timezone: '-10:00' }],
])('rejects %s, because its year would have too many digits', (_name, fields) => {
  expect(decodeCheckpoint({ ...fields, eventDetail: 'odd' })).toMatchObject({
    at: null,
    certain: false,
    detail: 'odd',
  });
});

test('keeps a local time as received if its zone moves it beyond the year 9999', () => {
  const fields = {
    eventTime: '9999-12-31T23:59:59-14:00',
    timezone: '+01:00',
    eventTimeZeroUTC: '2026-11-20T11:15:00Z',
  };
  expect(decodeCheckpoint(fields)).toMatchObject({ at: '2026-11-20T11:15:00Z', local: '9999-12-31T23:59:59-14:00' });
});

test('uses the local time if the UTC time is invalid', () => {
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
  ['its own offset', { eventTime: '2026-11-20 18:02:00+0800' }, '2026-11-20T10:02:00Z', '+08:00'],
  ['fractions of a second and a Z', { eventTime: '2026-11-20T18:02:00.123Z' }, '2026-11-20T18:02:00Z', '+00:00'],
])('reads a local time with %s as an instant', (_name, fields, at, offset) => {
  expect(decodeCheckpoint({ ...fields, eventDetail: 'Scan' })).toMatchObject({ at, offset, certain: true });
});

test("reports a local time with its own zone in the event's local time", () => {
  const fields = { eventTime: '2026-11-20T18:02:00Z', timezone: '+08:00' };
  expect(decodeCheckpoint(fields)).toMatchObject({
    at: '2026-11-20T18:02:00Z',
    local: '2026-11-21 02:02:00',
    offset: '+08:00',
    certain: true,
  });
});

test('ignores a Z after a local time if the UTC time and the offset contradict it', () => {
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
  'accepts a UTC time without its Z: %s',
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
  'keeps an invalid local time as received: %s',
  (eventTime) => {
    expect(decodeCheckpoint({ eventTime, timezone: '+01:00' })).toMatchObject({ at: null, local: eventTime });
  },
);

const local = '2026-11-23 13:28:00';
const decodedTime = (fields: Record<string, string>) => {
  const { at, certain, local: time, offset } = decodeCheckpoint({ ...fields, eventDetail: 'Scan' }) ?? {};
  return { at, local: time, offset, certain };
};

test('ignores a placeholder for the UTC time', () => {
  for (const name of ['Europe/Berlin', 'Pacific/Auckland', 'America/Los_Angeles']) {
    const viewer = { now: Date.parse('2026-11-23T07:30:00Z'), zone: new Zone(name) };
    const seen = renderRecord(sentRecord('record-event-with-a-placeholder-as-utc-time'), {}, viewer);
    expect(seen.json.lastEvent).toMatchObject({ at: '2026-11-23T05:28:00Z', local, offset: '+08:00', certain: false });
    expect(seen.json.stayDays).toBe(0);
    expect(seen.row).toMatch(/~2h/);
    expect(seen.row).not.toMatch(/\dy/);
    expect(seen.head.join('\n')).not.toContain('no movement');
    expect(seen.timeline.join('\n')).toContain('23 Nov');
  }
});

test.each<[string, Record<string, string>, ReturnType<typeof decodedTime>]>([
  [
    'without a zone',
    { eventTime: local, eventTimeZeroUTC: '2024-01-01T00:00:00Z' },
    { at: null, local, offset: null, certain: false },
  ],
  [
    'in the far future',
    { eventTime: local, eventTimeZeroUTC: '2099-12-31T00:00:00Z', timezone: '+08:00' },
    { at: '2026-11-23T05:28:00Z', local, offset: '+08:00', certain: false },
  ],
  ...['1970-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '0001-01-01 00:00:00', '1999-12-31T23:59:59Z'].map(
    (time): [string, Record<string, string>, ReturnType<typeof decodedTime>] => [
      `of ${time}`,
      { eventTime: local, eventTimeZeroUTC: time, timezone: '+08:00' },
      { at: '2026-11-23T05:28:00Z', local, offset: '+08:00', certain: false },
    ],
  ),
  [
    'of 1970, without a local time',
    { eventTimeZeroUTC: '1970-01-01T00:00:00Z' },
    { at: null, local: null, offset: null, certain: false },
  ],
])('prefers the local time to a placeholder for the UTC time: %s', (_name, fields, expected) => {
  expect(decodedTime(fields)).toEqual(expected);
});

test.each(['1970-01-01 00:00:00', '0001-01-01T00:00:00Z', '1900-01-01 00:00:00'])(
  'prefers the UTC time to a placeholder for the local time: %s',
  (eventTime) => {
    const eventTimeZeroUTC = '2026-11-23T05:28:00Z';
    expect(decodedTime({ eventTime, eventTimeZeroUTC, timezone: '+08:00' })).toEqual({
      at: eventTimeZeroUTC,
      local: null,
      offset: '+08:00',
      certain: false,
    });
  },
);

test.each([
  ['a zone explains the gap of 14 h', { eventTime: '2026-11-23 19:28:00' }, true],
  ['the two differ by less than a zone', { eventTime: local, timezone: '-05:00' }, false],
  ['the given zone has the opposite sign', { eventTime: local, timezone: '-08:00' }, false],
])('prefers the UTC time if %s', (_name, fields, certain) => {
  const eventTimeZeroUTC = '2026-11-23T05:28:00Z';
  expect(decodedTime({ eventTimeZeroUTC, ...fields })).toMatchObject({ at: eventTimeZeroUTC, certain });
});
