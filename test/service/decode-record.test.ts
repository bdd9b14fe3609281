import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonValue, parseJson } from '../../src/lib/json.ts';
import { decodeCourier, elementsOf } from '../../src/service/decode-record.ts';
import { decodeRecord } from '../support/decoded-record.ts';
import { decodeCheckpoint } from './decode-checkpoint.ts';

const fixture = (name: string): JsonValue =>
  parseJson(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));

describe('decodeRecord', () => {
  test('a record with every optional field missing is a record that says nothing', () => {
    const record = decodeRecord(fixture('record-every-optional-field-missing'));
    expect(record).toMatchObject({
      trackNo: 'LX123456789CN',
      transitStatus: null,
      nextUpdateTime: null,
      checkpoints: [],
    });
  });

  test('what else couriers and merchants say is read where it is there', () => {
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

  test('null everywhere reads as missing everywhere', () => {
    const { received: _a, ...missing } = decodeRecord(fixture('record-every-optional-field-missing')) ?? {};
    const { received: _b, ...nulled } = decodeRecord(fixture('record-every-field-null')) ?? {};
    expect(nulled).toEqual(missing);
  });

  test('fields of a wrong type cost themselves only, and ids keep every digit', () => {
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

  test('escape sequences never leave the room, in no field and not in the record as received', () => {
    const record = decodeRecord(fixture('record-escape-sequences-in-its-text'));
    expect(record?.checkpoints[0]).toMatchObject({ address: 'Shenzhen', detail: 'Left the country' });
    expect(record).toMatchObject({ courierNameEN: 'Yanwen', courierHomePage: null, shipmentType: 'FastLane' });
    expect(record?.courierTrackingLink).toBe('https://track.example/?n=LX123456789CN');
    expect(JSON.stringify(record)).not.toMatch(/\\u00|\\r|\\n|\u202e|\u009b/);
  });

  test('an unknown status is kept as the service wrote it', () => {
    expect(decodeRecord(fixture('record-unknown-status'))?.transitStatus).toBe('TELEPORTED');
  });

  test('no JSON value whatever makes decoding fail', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const hidden = { trackNo: 'X1234', localLogisticsInfo: value, transitDays: value, id: value };
        expect(decodeRecord(hidden as JsonValue)?.trackNo).toBe('X1234');
        decodeRecord(value as JsonValue);
        decodeCheckpoint(value as JsonValue);
        decodeCourier(value as JsonValue);
        expect(Array.isArray(elementsOf(value as JsonValue))).toBe(true);
      }),
    );
  });
});

describe('decodeCheckpoint', () => {
  const base = { address: '', eventDetail: 'Departed', transitSubStatus: 'IN_TRANSIT_01' };

  test('UTC time is the instant', () => {
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

  test('every instant is written alike, however it is sent', () => {
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
    fc.assert(
      fc.property(instants, (at) => {
        const written = new Date(at).toISOString().replace('.000Z', 'Z');
        for (const reported of [written, written.replace('T', ' '), written.replace('Z', '+00:00')]) {
          expect(decodeCheckpoint({ ...base, eventTimeZeroUTC: reported })?.at).toBe(written);
        }
      }),
    );
  });

  test('a day that does not exist is no instant of its own', () => {
    const reported = (eventTimeZeroUTC: string): string | null | undefined =>
      decodeCheckpoint({ ...base, eventTimeZeroUTC })?.at;
    expect(reported('2026-13-01T00:00:00Z') ?? null).toBeNull();
    expect(reported('2026-01-01T24:30:00Z') ?? null).toBeNull();
    expect(reported('2026-02-30T10:00:00Z')).not.toBe('2026-02-30T10:00:00Z');
  });

  test('without UTC time, local time and offset make the instant, in any spelling of the offset', () => {
    for (const timezone of ['+08:00', '+0800', '+8']) {
      const checkpoint = decodeCheckpoint({ ...base, eventTime: '2026-11-20 18:02:00', timezone });
      expect(checkpoint).toMatchObject({ at: '2026-11-20T10:02:00Z', offset: '+08:00', certain: true });
    }
  });

  test('a missing zone is not guessed', () => {
    const checkpoint = decodeCheckpoint({ ...base, eventTime: '2026-11-20 18:02:00' });
    expect(checkpoint).toMatchObject({ at: null, local: '2026-11-20 18:02:00', offset: null, certain: false });
  });

  test('when the two contradict, UTC wins and the time is uncertain', () => {
    const checkpoint = decodeCheckpoint({
      ...base,
      eventTime: '2026-11-20 18:02:00',
      eventTimeZeroUTC: '2026-11-20T23:02:00Z',
      timezone: '+08:00',
    });
    expect(checkpoint).toMatchObject({ at: '2026-11-20T23:02:00Z', certain: false });
  });

  test('a minute between the two is rounding, not contradiction', () => {
    const checkpoint = decodeCheckpoint({
      ...base,
      eventTime: '2026-11-20 18:02:59',
      eventTimeZeroUTC: '2026-11-20T10:02:00Z',
      timezone: '+08:00',
    });
    expect(checkpoint?.certain).toBe(true);
  });
});
