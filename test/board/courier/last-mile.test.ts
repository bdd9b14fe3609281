import { describe, expect, it } from 'vitest';
import { courierPage, courierPages } from '../../../src/board/courier/courier-page.ts';
import type { JsonObject } from '../../../src/service/text/json.ts';
import { fixture, seenRecord } from '../../support/seen-record.ts';

const handedOver = fixture('record-last-mile-with-pages-of-its-own') as JsonObject;

describe('the pages of a parcel that a second courier has', () => {
  it('are those of the second one, its own number filled in, then those of the first', () => {
    const { parcel, json } = seenRecord(handedOver);
    const page = 'https://gls.example/track/GLS555';
    expect(courierPage(parcel)).toBe(page);
    expect(courierPages(parcel)).toEqual([page, 'https://yanwen.example/LX123456789CN']);
    expect(json).toMatchObject({ trackingLink: page, courierHomePage: 'https://gls.example/' });
  });

  it('stay those of the first one until the second one reports events', () => {
    const info = handedOver['lastMileInfo'] as JsonObject;
    const waiting = { ...(info['openApiWayBillInfo'] as JsonObject), trackingDetails: [] };
    const { parcel, json } = seenRecord({ ...handedOver, lastMileInfo: { ...info, openApiWayBillInfo: waiting } });
    expect(courierPages(parcel)).toEqual(['https://yanwen.example/LX123456789CN']);
    expect(json.courierHomePage).toBe('https://yanwen.example/');
  });
});

it('a last mile whose fields stand without the inner object is read, and only web addresses count', () => {
  const { json, parcel } = seenRecord(fixture('record-last-mile-without-its-inner-object'));
  expect(json.lastMile).toEqual({ trackNo: null, courierCode: 'kerry', courierName: 'Kerry' });
  expect(json.checkpoints.map(({ detail }) => detail)).toEqual(['Sorted', 'Departed']);
  expect(courierPage(parcel)).toBeNull();
});
