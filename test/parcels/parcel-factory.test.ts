import { describe, expect, it } from 'vitest';
import { idPattern } from '../../src/parcels/parcel.ts';
import {
  archiveParcel,
  completeExtras,
  dropsHistory,
  editParcel,
  newParcel,
  restoreParcel,
} from '../../src/parcels/parcel-factory.ts';
import { someThursday } from '../support/fake-clock.ts';
import { checkpointOf } from '../support/records.ts';
import { addParcel } from './add-parcel.ts';
import { parcelOf } from './parcels.ts';

const now = someThursday + 1000;

it('creates a parcel that is pending and due immediately, with an id that is a safe file name', () => {
  const draft = { trackNo: 'RB1CN', courierCode: 'dhl', label: 'Lamp', postalCode: '50667', phoneSuffix: null };
  const parcel = newParcel(draft, someThursday, Math.random);
  expect(parcel.id).toMatch(idPattern);
  expect(parcel).toMatchObject({
    trackNo: 'RB1CN',
    courierCode: 'dhl',
    courierPinned: true,
    label: 'Lamp',
    extras: { postalCode: '50667', phoneSuffix: null },
    registration: 'pending',
    addedAt: '2026-11-19T09:00:00.000Z',
    nextPollAt: '2026-11-19T09:00:00.000Z',
  });
});

describe('editParcel', () => {
  const known = parcelOf('RB1CN', {
    courierCode: 'dhl',
    label: 'Lamp',
    registration: 'registered',
    lastEvent: checkpointOf('Arrived', '2026-11-19T08:00:00Z'),
    checkpointCount: 1,
  });

  it('returns the same object if nothing changes', () => {
    expect(editParcel(known, {}, now)).toBe(known);
    expect(editParcel(known, { label: 'Lamp' }, now)).toBe(known);
  });

  it('changes a label without registering again', () => {
    expect(editParcel(known, { label: null }, now)).toEqual({ ...known, label: null });
  });

  it('registers again with a different courier, and drops the old record', () => {
    const edited = editParcel(known, { courierCode: 'ups' }, now);
    expect(edited).toMatchObject({
      courierCode: 'ups',
      courierPinned: true,
      registration: 'pending',
      lastEvent: null,
      checkpointCount: 0,
      nextPollAt: '2026-11-19T09:00:01.000Z',
    });
    expect(dropsHistory(known, edited)).toBe(true);
  });

  it('keeps the record when a detected courier is chosen', () => {
    const edited = editParcel(known, { courierCode: 'dhl' }, now);
    expect(edited).toEqual({ ...known, courierPinned: true });
    expect(dropsHistory(known, edited)).toBe(false);
  });

  it('registers again with different extras, and keeps the record', () => {
    const edited = editParcel(known, { postalCode: '50667' }, now);
    expect(edited).toMatchObject({
      registration: 'pending',
      lastEvent: known.lastEvent,
      extras: { postalCode: '50667' },
    });
  });
});

describe('archiving and restoring', () => {
  it('take a parcel out of the queue and put it back', () => {
    const archived = archiveParcel(parcelOf('RB1CN'), now);
    expect(archived).toMatchObject({ archivedAt: '2026-11-19T09:00:01.000Z', nextPollAt: null });
    expect(archiveParcel(archived, now + 5)).toBe(archived);
    expect(restoreParcel(archived, now)).toMatchObject({ archivedAt: null, nextPollAt: '2026-11-19T09:00:01.000Z' });
  });

  it('give a rejected parcel a second chance', () => {
    const rejected = parcelOf('RB1CN', { registration: 'rejected', archivedAt: '2026-11-19T09:00:00.000Z' });
    expect(restoreParcel(rejected, now).registration).toBe('pending');
  });
});

describe('merchant details', () => {
  const draft = { trackNo: 'RB1CN', courierCode: null, label: null, postalCode: null, phoneSuffix: null };

  it('are saved with the parcel, if there are any', () => {
    const merchant = { orderNo: 'O-1', shippedAt: '2026-11-20T09:00:00.000Z' };
    expect(newParcel({ ...draft, merchant }, now, Math.random).merchant).toEqual(merchant);
    expect(newParcel({ ...draft, merchant: {} }, now, Math.random)).not.toHaveProperty('merchant');
    expect(newParcel(draft, now, Math.random)).not.toHaveProperty('merchant');
  });

  it('are merged with earlier ones and registered again', () => {
    const known = parcelOf('RB1CN', { registration: 'registered', merchant: { orderNo: 'O-1', remark: 'r' } });
    const fresh = parcelOf('RB1CN', { id: 'other', merchant: { orderNo: 'O-2' } });
    const { kind, parcel } = addParcel([known], fresh, now);
    expect(kind).toBe('duplicate');
    expect(parcel).toMatchObject({ merchant: { orderNo: 'O-2', remark: 'r' }, registration: 'pending' });
    expect(addParcel([parcel], fresh, now).parcel).toBe(parcel);
  });
});

describe('an edit that the service already knows', () => {
  const known = parcelOf('RB1CN', {
    courierCode: 'dhl',
    label: 'Lamp',
    registration: 'registered',
    registeredAt: '2026-11-19T08:00:00.000Z',
    checkpointCount: 3,
    nextPollAt: null,
  });

  it('keeps the parcel registered, and makes it due immediately', () => {
    const edited = editParcel(known, { courierCode: 'ups', knownToService: true }, now);
    expect(edited).toMatchObject({
      courierCode: 'ups',
      courierPinned: true,
      label: 'Lamp',
      registration: 'registered',
      registeredAt: null,
      checkpointCount: 0,
      nextPollAt: new Date(now).toISOString(),
    });
    expect(edited).not.toHaveProperty('knownToService');
  });

  it('keeps the record when only extras change', () => {
    expect(editParcel(known, { postalCode: '50667', knownToService: true }, now)).toMatchObject({
      registration: 'registered',
      checkpointCount: 3,
      extras: { postalCode: '50667' },
    });
  });
});

it('fills in only missing extras', () => {
  const parcel = parcelOf('RB1CN', { extras: { postalCode: '50667', phoneSuffix: null } });
  expect(completeExtras(parcel, { postalCode: '1', phoneSuffix: '1234' }).extras).toEqual({
    postalCode: '50667',
    phoneSuffix: '1234',
  });
  expect(completeExtras(parcel, { postalCode: '1' })).toBe(parcel);
  expect(completeExtras(parcel, {})).toBe(parcel);
});
