import { describe, expect, it } from 'vitest';
import { urgencyWithinStage } from '../../src/board/status/status-now.ts';
import { dayMs as day } from '../../src/lib/clock.ts';
import type { JsonObject, JsonValue } from '../../src/lib/json.ts';
import { changesBetween } from '../../src/parcels/changes-between.ts';
import { isLate, type MergeResult, mergeRecord } from '../../src/parcels/merge-record.ts';
import { decodeRecord } from '../../src/service/decode-record.ts';
import { plausibleEvents } from '../../src/service/timeline-order.ts';
import { historyFormat } from '../../src/store/file/formats.ts';
import { fixture, renderedAt, renderRecord, serviceRecord } from '../support/render-record.ts';
import { parcelOf } from './parcels.ts';

const swapped = fixture('record-event-with-day-and-month-exchanged');

const blank = { parcel: parcelOf('LX123456789CN', { registration: 'registered' }), history: historyFormat.empty };

function mergeAt(received: JsonValue, at: number, known: Omit<MergeResult, 'changed'> = blank): MergeResult {
  const record = decodeRecord(received, at);
  if (record === null) throw new Error('This is not a record.');
  return mergeRecord(known.parcel, known.history, record, at);
}

const eventIn = (ms: number): JsonObject => {
  const at = new Date(renderedAt + ms).toISOString();
  return { eventTime: at.slice(0, 19).replace('T', ' '), eventTimeZeroUTC: `${at.slice(0, 19)}Z`, timezone: '+00:00' };
};

describe('an event more than a day ahead', () => {
  it('is shown in its place and marked, while the row shows the newest plausible event', () => {
    const { json, parcel, row, timeline } = renderRecord(swapped);
    expect(parcel.lastEvent?.detail).toBe('Arrived at hub');
    expect(row).toMatch(/ 3d$/);
    expect(json.stayDays).toBe(3);
    expect(json.lastEvent).not.toHaveProperty('future');
    expect(json.checkpoints.map(({ future }) => future === true)).toEqual([false, true, false]);
    const marked = timeline.filter((line) => line.includes('in the future, ignored'));
    expect(marked).toHaveLength(1);
    expect(timeline.find((line) => line.startsWith('●'))).toContain('Arrived at hub');
  });

  it('is not news, even when its time comes', () => {
    const withoutEvent = structuredClone(swapped) as { localLogisticsInfo: { trackingDetails: JsonValue[] } };
    withoutEvent.localLogisticsInfo.trackingDetails.splice(1, 1);
    const before = mergeAt(withoutEvent as unknown as JsonValue, renderedAt);
    const after = mergeAt(swapped, renderedAt + day, before);
    const onItsDay = mergeAt(swapped, renderedAt + 40 * day, after);
    for (const { parcel } of [after, onItsDay]) {
      expect(parcel.lastEvent).toEqual(before.parcel.lastEvent);
      expect(changesBetween(before.parcel, parcel)).toEqual([]);
    }
    expect(onItsDay.history.checkpoints).toEqual(after.history.checkpoints);
  });

  it('is not the last event, even if it is the only one', () => {
    const zoneless = { eventTime: '2026-12-11 10:00:00', eventTimeZeroUTC: null, timezone: null };
    for (const event of [eventIn(40 * day), zoneless]) {
      const { json, parcel, row } = renderRecord(serviceRecord({}, event));
      expect(parcel.lastEvent).toBeNull();
      expect(json.checkpoints).toMatchObject([{ future: true }]);
      expect(row).not.toContain('<1m');
    }
  });

  it('does not make the next record late', () => {
    const { history } = mergeAt(swapped, renderedAt);
    const next = decodeRecord(serviceRecord({}, eventIn(0)), renderedAt);
    if (next === null) throw new Error('This is not a record.');
    expect(isLate(plausibleEvents(history.checkpoints)[0] ?? null, next)).toBe(false);
  });

  it('stops being the last event if an older version accepted it', () => {
    const { history, parcel } = mergeAt(swapped, renderedAt + 30 * day);
    expect(parcel.lastEvent?.detail).toBe('Handed to the airline');
    expect(mergeAt(swapped, renderedAt, { history, parcel }).parcel.lastEvent?.detail).toBe('Arrived at hub');
  });
});

it('shows an event less than a day ahead without a mark, but ranks it below one that just happened', () => {
  const ahead = mergeAt(serviceRecord({}, eventIn(3 * 3_600_000)), renderedAt).parcel;
  expect(ahead.lastEvent?.at).toBe('2026-11-21T15:42:00Z');
  expect(ahead.lastEvent).not.toHaveProperty('future');
  expect(renderRecord(serviceRecord({}, eventIn(3 * 3_600_000))).row).toMatch(/<1m$/);
  const now = mergeAt(serviceRecord({}, eventIn(60_000)), renderedAt + 60_000).parcel;
  expect(urgencyWithinStage(now)).toBeGreaterThan(urgencyWithinStage(ahead));
});
