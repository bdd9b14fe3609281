import { expect, test } from 'vitest';
import { findMilestones } from '../../../src/board/status/expected-delivery.ts';
import { calendarText } from '../../../src/commands/export-calendar.ts';
import { parcelTable } from '../../../src/commands/list.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Parcel, ParcelHistory } from '../../../src/parcels/parcel.ts';
import { renderedAt, renderRecord, serviceRecord } from '../../support/render-record.ts';
import { berlin } from '../parcels.ts';

const delivered = { transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' };
const noEvents = { localLogisticsInfo: { courierCode: 'yanwen', courierNameEN: 'Yanwen', trackingDetails: [] } };
const deliveredRecord = (fields: JsonObject) =>
  renderRecord(serviceRecord({ ...delivered, ...noEvents, nextUpdateTime: null, ...fields }), { nextPollAt: null });

const ageOf = (parcel: Parcel) =>
  parcelTable([parcel], { now: renderedAt, zone: berlin, isPaused: false }).rows[0]?.[7]?.text;

function entriesOf(parcel: Parcel, history: ParcelHistory): readonly string[] {
  const text = calendarText([{ parcel, milestones: findMilestones(parcel, history) }], renderedAt);
  return text.replaceAll('\r\n ', '').match(/^(?:DTSTART|DTEND|SUMMARY|STATUS|DESCRIPTION).*$/gm) ?? [];
}

test.each([
  [{ deliveredTime: '2026-11-15 14:05:00' }, '~5-6d'],
  [{ lastTrackingTime: '2026-11-15 14:05:00' }, '~5-6d'],
  [{ deliveredTime: '2026-11-01' }, '~19d'],
  [{ transitStatus: 'IN_TRANSIT', transitSubStatus: null, lastTrackingTime: '2026-11-15 14:05:00' }, ''],
])('the age of a parcel without events counts from its delivery, in days: %o', (fields, age) => {
  const { parcel, row } = deliveredRecord(fields);
  expect(ageOf(parcel)).toBe(age);
  expect(/~\S+/.exec(row)?.[0] ?? '').toBe(age);
});

test.each(['deliveredTime', 'lastTrackingTime'])(
  'a delivery without events becomes an all-day calendar entry, dated by %s',
  (field) => {
    const { history, parcel } = deliveredRecord({ [field]: '2026-11-15 23:30:00' });
    const entries = entriesOf(parcel, history);
    expect(entries.map((line) => line.trim())).toEqual(
      expect.arrayContaining(['DTSTART;VALUE=DATE:20261115', 'SUMMARY:LX123456789CN: Delivered', 'STATUS:CONFIRMED']),
    );
    expect(entries.join()).toContain('2026-11-15 23:30:00 (zone unknown)');
  },
);

test('a parcel with neither events nor a delivery time has no reached milestone', () => {
  const { history, parcel } = deliveredRecord({});
  expect(findMilestones(parcel, history).reached).toBeNull();
});

test('a delivery time that only the record contains replaces the last event in the calendar', () => {
  const { history, parcel } = renderRecord(serviceRecord({ ...delivered, deliveredTime: '2026-11-21 09:00:00' }));
  expect(entriesOf(parcel, history)).toEqual(
    expect.arrayContaining(['DTSTART;VALUE=DATE:20261121', 'SUMMARY:LX123456789CN: Delivered']),
  );
});
