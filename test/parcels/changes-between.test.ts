import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../src/parcels/changes-between.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { aCheckpoint, aParcel, aPendingParcel, aRecord } from '../board/parcels.ts';

const between = (before: Parcel | null, after: Parcel | null) =>
  changesBetween(before, after).map(({ message }) => message);

describe('changes between two states of a parcel', () => {
  it('are empty if nothing changed', () => {
    expect(between(aParcel(), aParcel())).toEqual([]);
    expect(between(null, null)).toEqual([]);
  });

  it('report a new status and its event in one change', () => {
    const before = aParcel({ label: 'Lamp' });
    const after = {
      ...before,
      record: aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' }),
      lastEvent: aCheckpoint({ detail: 'Left at the door', address: 'Berlin' }),
    };
    expect(between(before, after)).toEqual(['Delivered - Left at the door, Berlin']);
  });

  it('do not repeat a status that the event begins with', () => {
    const before = aParcel();
    const after = {
      ...before,
      record: aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' }),
      lastEvent: aCheckpoint({ detail: 'Delivered, left at the door', address: 'Berlin' }),
    };
    expect(between(before, after)).toEqual(['Delivered, left at the door, Berlin']);
  });

  it('report a new status without repeating an older event', () => {
    const before = aParcel({ lastEvent: aCheckpoint({ detail: 'Out for delivery' }) });
    const record = aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' });
    expect(between(before, { ...before, record })).toEqual(['Delivered']);
  });

  it('report a new event with the same status', () => {
    const before = aParcel();
    const after = {
      ...before,
      lastEvent: aCheckpoint({ at: '2026-11-21T10:00:00Z', detail: 'Departed', address: null }),
    };
    expect(between(before, after)).toEqual(['Departed']);
  });

  it('report registration and a detected courier', () => {
    const before = aPendingParcel();
    const after: Parcel = { ...before, registration: 'registered', courierCode: 'yanwen' };
    expect(between(before, after)).toEqual(['registered', 'courier Yanwen']);
  });

  it("report a rejection with the service's wording", () => {
    const before = aPendingParcel();
    const error = { kind: 'request-refused', code: 'A0400', message: 'unsupported code', traceId: null };
    expect(between(before, { ...before, registration: 'rejected', error })).toEqual(['rejected: unsupported code']);
  });

  it('report a failing check once, and its recovery', () => {
    const healthy = aParcel();
    const error = { kind: 'unreachable', code: null, message: 'The service cannot be reached.', traceId: null };
    const failing = { ...healthy, error };
    expect(between(healthy, failing)).toEqual(['The service cannot be reached.']);
    expect(between(failing, { ...failing, checkedAt: null, error: { ...error } })).toEqual([]);
    expect(between(failing, { ...healthy })).toEqual(['checks are working again']);
  });

  it('report additions, removals, archiving and restoring', () => {
    const archived = aParcel({ id: 'a', trackNo: 'AAAA1', archivedAt: '2026-11-20T00:00:00.000Z' });
    const active = { ...archived, archivedAt: null };
    const pending = aPendingParcel({ id: 'b', trackNo: 'BBBB1' });
    expect(between(null, pending)).toEqual(['added']);
    expect(between(pending, null)).toEqual(['removed']);
    expect(between(active, archived)).toEqual(['archived']);
    expect(between(archived, active)).toEqual(['restored']);
  });

  it('include the values before and after', () => {
    const before = aParcel();
    const after = { ...before, record: aRecord({ transitStatus: 'EXPIRED', transitSubStatus: null }) };
    expect(changesBetween(before, after)).toMatchObject([
      { change: 'status', from: { status: before.record?.transitStatus }, to: { status: 'EXPIRED', subStatus: null } },
    ]);
  });
});
