import { describe, expect, it } from 'vitest';
import { courierPage, courierPages } from '../../src/board/parcel-facts.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { mergeRecord } from '../../src/parcels/merge-record.ts';
import { decodeRecord } from '../support/decoded-record.ts';
import { fixture, renderedAt, renderRecord, serviceRecord } from '../support/render-record.ts';

const handedOver = fixture('record-last-mile-with-pages-of-its-own') as JsonObject;

describe('the pages of a parcel with a second courier', () => {
  it("begin with the second courier's page, for its own number", () => {
    const { parcel, json } = renderRecord(handedOver);
    const page = 'https://gls.example/track/GLS555';
    expect(courierPage(parcel)).toBe(page);
    expect(courierPages(parcel)).toEqual([page, 'https://yanwen.example/LX123456789CN']);
    expect(json).toMatchObject({ trackingLink: page, courierHomePage: 'https://gls.example/' });
  });

  it('come only from the first courier until the second one reports events', () => {
    const info = handedOver['lastMileInfo'] as JsonObject;
    const waiting = { ...(info['openApiWayBillInfo'] as JsonObject), trackingDetails: [] };
    const { parcel, json } = renderRecord({ ...handedOver, lastMileInfo: { ...info, openApiWayBillInfo: waiting } });
    expect(courierPages(parcel)).toEqual(['https://yanwen.example/LX123456789CN']);
    expect(json.courierHomePage).toBe('https://yanwen.example/');
  });
});

it('reads a last mile without its inner object, and ignores links that are not web addresses', () => {
  const { json, parcel } = renderRecord(fixture('record-last-mile-without-its-inner-object'));
  expect(json.lastMile).toEqual({ trackNo: null, courierCode: 'kerry', courierName: 'Kerry' });
  expect(json.checkpoints.map(({ detail }) => detail)).toEqual(['Sorted', 'Departed']);
  expect(courierPage(parcel)).toBeNull();
});

it('a timeline shows each change of courier, and attributes an event that both report to the first', () => {
  const { json, timeline, parcel, history } = renderRecord(handedOver);
  expect(json.checkpoints.map(({ courierCode, courierName, detail }) => [courierCode, courierName, detail])).toEqual([
    ['gls', 'GLS', 'In the van'],
    ['yanwen', 'Yanwen', 'Handed over'],
    ['yanwen', 'Yanwen', 'Departed'],
  ]);
  expect(timeline.filter((line) => line.startsWith('├'))).toEqual(['├ GLS GLS555', '├ Yanwen']);
  const record = decodeRecord(handedOver);
  if (record === null) throw new Error('not a record');
  expect(mergeRecord(parcel, history, record, renderedAt)).toMatchObject({ changed: false, history });
});

it('adds couriers to the events of an old history without reporting a change', () => {
  const { history, parcel } = renderRecord(handedOver);
  const older = {
    ...history,
    checkpoints: history.checkpoints.map(({ courierCode: _code, courierName: _name, ...event }) => event),
  };
  const [lastEvent = null] = older.checkpoints;
  const record = decodeRecord(handedOver);
  if (record === null) throw new Error('not a record');
  const merged = mergeRecord({ ...parcel, lastEvent }, older, record, renderedAt);
  expect(merged.history.checkpoints).toEqual(history.checkpoints);
  expect(merged.changed).toBe(false);
});

it('a record with one courier has no courier headings, and its events name no courier', () => {
  const { json, timeline } = renderRecord(serviceRecord({}));
  expect(json.checkpoints[0]).toMatchObject({ courierCode: null, courierName: null });
  expect(timeline.join('\n')).not.toContain('├');
});
