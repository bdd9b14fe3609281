import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Checkpoint } from '../../src/service/record.ts';
import { mergeLegs } from '../../src/service/timeline-order.ts';
import { decodeRecord } from '../support/decoded-record.ts';
import { forAll } from '../support/for-all.ts';

const event = (at: string | null, detail: string, address: string | null = null): Checkpoint => ({
  at,
  local: at,
  offset: null,
  certain: at !== null,
  address,
  detail,
  subStatus: null,
});

describe('mergeLegs', () => {
  test("merges two couriers' lists into one timeline, newest first", () => {
    const merged = mergeLegs(
      [event('2026-11-18T00:00:00Z', 'handed over'), event('2026-11-17T00:00:00Z', 'left')],
      [event('2026-11-20T00:00:00Z', 'delivered'), event('2026-11-19T00:00:00Z', 'sorted')],
    );
    expect(merged.map((checkpoint) => checkpoint.detail)).toEqual(['delivered', 'sorted', 'handed over', 'left']);
  });

  test('merges two reports of an event, keeps the more exact place and counts them', () => {
    const merged = mergeLegs(
      [event('2026-11-18T00:00:00Z', 'sorted', 'Leipzig')],
      [event('2026-11-18T00:00:00Z', 'sorted', 'Leipzig, DE')],
    );
    expect(merged).toHaveLength(1);
    expect(merged[0]).toMatchObject({ address: 'Leipzig, DE', repeats: 2 });
  });

  test("keeps an event that the first courier reports twice as that courier's", () => {
    const twice = { ...event('2026-11-18T00:00:00Z', 'Return label made'), courierCode: 'yanwen' };
    const local = { ...event('2026-11-17T00:00:00Z', 'sorted'), courierCode: 'gls' };
    expect(mergeLegs([twice, { ...twice }], [local]).map(({ courierCode }) => courierCode)).toEqual(['yanwen', 'gls']);
  });

  test('prefers the place with more words, ignoring punctuation', () => {
    const at = '2026-11-18T00:00:00Z';
    const [bare, full] = [event(at, 'sorted', 'Leipzig, , , ,'), event(at, 'sorted', 'Leipzig, DE')];
    expect(mergeLegs([bare], [full]).map(({ address }) => address)).toEqual(['Leipzig, DE']);
    expect(mergeLegs([full], [bare]).map(({ address }) => address)).toEqual(['Leipzig, DE']);
  });

  test('keeps places separate if one only resembles a part of the other', () => {
    const at = '2026-11-18T00:00:00Z';
    const merged = mergeLegs([event(at, 'sorted', 'Essen')], [event(at, 'sorted', 'Hessen, DE')]);
    expect(merged.map(({ address }) => address)).toEqual(['Hessen, DE', 'Essen']);
  });

  test("keeps a single courier's order if instants are missing", () => {
    const list = [event(null, 'c'), event('2026-11-18T00:00:00Z', 'b'), event(null, 'a')];
    expect(mergeLegs(list, []).map((checkpoint) => checkpoint.detail)).toEqual(['c', 'b', 'a']);
  });

  test('loses no report', () => {
    const events = fc.array(
      fc.record({
        day: fc.integer({ min: 1, max: 4 }),
        detail: fc.constantFrom('x', 'y'),
        address: fc.constantFrom(null, 'A', 'A, DE', 'B'),
      }),
    );
    const toEvents = (list: readonly { day: number; detail: string; address: string | null }[]): Checkpoint[] =>
      list.map(({ day, detail, address }) => event(`2026-11-0${day}T00:00:00Z`, detail, address));
    forAll(events, events, (a, b) => {
      const merged = mergeLegs(toEvents(a), toEvents(b));
      expect(merged.reduce((sum, checkpoint) => sum + (checkpoint.repeats ?? 1), 0)).toBe(a.length + b.length);
    });
  });

  test('gives the same result for a single list from either courier', () => {
    const events = fc.array(
      fc.tuple(fc.constantFrom(null, 1, 2, 3, 4, 5, 6), fc.constantFrom('', '.250'), fc.constantFrom('x', 'y')),
    );
    forAll(events, fc.boolean(), (list, isSorted) => {
      const reported = list.map(([second, part, detail]) =>
        event(second === null ? null : `2026-11-01T00:00:0${second}${part}Z`, detail),
      );
      if (isSorted) reported.sort((a, b) => Date.parse(b.at ?? '') - Date.parse(a.at ?? '') || 0);
      expect(mergeLegs(reported, [])).toEqual(mergeLegs([], reported));
    });
  });

  test("sets the record's last-mile courier", () => {
    const record = decodeRecord({
      trackNo: 'LX1',
      localLogisticsInfo: {
        courierCode: 'yanwen',
        trackingDetails: [{ eventDetail: 'handed over', eventTimeZeroUTC: '2026-11-18T00:00:00Z' }],
      },
      lastMileInfo: {
        lmTrackNo: '0034',
        openApiWayBillInfo: {
          courierCode: 'dhl',
          courierNameEN: 'DHL',
          trackingDetails: [{ eventDetail: 'delivered', eventTimeZeroUTC: '2026-11-20T00:00:00Z' }],
        },
      },
    });
    expect(record?.lastMile).toEqual({ trackNo: '0034', courierCode: 'dhl', courierName: 'DHL' });
    expect(record?.checkpoints.map((checkpoint) => checkpoint.detail)).toEqual(['delivered', 'handed over']);
    expect(
      decodeRecord({ trackNo: 'LX1', lastMileInfo: { openApiWayBillInfo: { trackingDetails: [] } } })?.lastMile,
    ).toBeUndefined();
  });
});
