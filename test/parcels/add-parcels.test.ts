import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { archiveParcel, newParcel } from '../../src/parcels/parcel-factory.ts';
import { addParcels } from '../../src/parcels/parcel-list.ts';
import { someThursday } from '../support/fake-clock.ts';
import { forAll } from '../support/for-all.ts';
import { addParcel } from './add-parcel.ts';
import { parcelOf } from './parcels.ts';

const now = someThursday + 1000;

describe('addParcel', () => {
  const dhl = parcelOf('RB1CN', { courierCode: 'dhl', courierPinned: true, registration: 'registered' });

  it('adds a new parcel', () => {
    const fresh = parcelOf('RB2CN');
    expect(addParcel([dhl], fresh, now)).toEqual({ kind: 'added', parcel: fresh, parcels: [dhl, fresh] });
  });

  it.each([null, 'dhl', 'DHL'])('finds a duplicate with courier %j', (courierCode) => {
    const list = [dhl];
    const addition = addParcel(list, parcelOf('rb1cn', { id: 'other', courierCode }), now);
    expect(addition).toEqual({ kind: 'duplicate', parcel: dhl, parcels: list });
  });

  it('adds the same number with a different courier', () => {
    expect(addParcel([dhl], parcelOf('RB1CN', { id: 'other', courierCode: 'ups' }), now).kind).toBe('added');
  });

  it('sets the courier of a parcel without one', () => {
    const unknown = parcelOf('RB1CN', { registration: 'registered' });
    const addition = addParcel([unknown], parcelOf('RB1CN', { id: 'other', courierCode: 'ups' }), now);
    expect(addition.kind).toBe('duplicate');
    expect(addition.parcel).toMatchObject({
      id: unknown.id,
      courierCode: 'ups',
      courierPinned: true,
      registration: 'pending',
    });
  });

  it.each([null, 'ups'])('registers a rejected parcel again with courier %j', (courierCode) => {
    const error = { kind: 'rejected', code: 'A0400', message: 'unsupported', traceId: null };
    const rejected = parcelOf('RB1CN', { courierCode: 'typo', courierPinned: true, registration: 'rejected', error });
    const addition = addParcel([rejected], parcelOf('RB1CN', { id: 'other', courierCode }), now);
    expect(addition.kind).toBe('retried');
    expect(addition.parcel).toMatchObject({ id: rejected.id, courierCode, registration: 'pending', error: null });
    expect(addition.parcels).toEqual([addition.parcel]);
  });

  it('restores an archived parcel', () => {
    const archived = archiveParcel(dhl, someThursday);
    const addition = addParcel([archived], parcelOf('RB1CN', { id: 'other' }), now);
    expect(addition.kind).toBe('restored');
    expect(addition.parcel).toMatchObject({ id: dhl.id, archivedAt: null, nextPollAt: '2026-11-19T09:00:01.000Z' });
  });

  it('fills in a missing label and extras', () => {
    const fresh = parcelOf('RB1CN', { label: 'Lamp', extras: { postalCode: '50667', phoneSuffix: null } });
    const { parcel } = addParcel([dhl], fresh, now);
    expect(parcel).toMatchObject({ label: 'Lamp', extras: { postalCode: '50667' }, registration: 'pending' });
  });
});

describe('an archived parcel that is added', () => {
  const archivedAt = '2026-11-01T08:00:00.000Z';
  const archivedDraft = parcelOf('RB1CN', {
    id: 'other',
    label: 'Lamp',
    tags: ['home', 'gift'],
    archivedAt,
    nextPollAt: null,
  });

  it('stays archived and out of the queue', () => {
    const draft = { trackNo: 'RB1CN', courierCode: null, label: null, postalCode: null, phoneSuffix: null };
    expect(newParcel({ ...draft, tags: ['home'], archivedAt }, now, Math.random)).toMatchObject({
      archivedAt,
      nextPollAt: null,
      registration: 'pending',
      tags: ['home'],
    });
    expect(addParcel([], archivedDraft, now)).toMatchObject({ kind: 'added', parcel: archivedDraft });
  });

  it('neither archives nor restores the known parcel, but fills in its missing fields', () => {
    const watched = parcelOf('RB1CN', { registration: 'registered', tags: ['home', 'red'] });
    const archived = { ...watched, archivedAt: '2026-10-01T08:00:00.000Z', nextPollAt: null };
    for (const known of [watched, archived]) {
      const { kind, parcel } = addParcel([known], archivedDraft, now);
      expect({ kind, parcel }).toEqual({
        kind: 'duplicate',
        parcel: { ...known, label: 'Lamp', tags: ['home', 'red', 'gift'] },
      });
    }
  });

  it('does not cause a rejected parcel to be registered again', () => {
    const rejected = parcelOf('RB1CN', { registration: 'rejected' });
    expect(addParcel([rejected], archivedDraft, now).parcel.registration).toBe('rejected');
  });
});

describe('adding several parcels together', () => {
  const parcel = (from: string): fc.Arbitrary<Parcel> =>
    fc
      .record({
        trackNo: fc.constantFrom('RB1CN', 'rb1cn', 'RB2CN', 'straße1', 'STRASSE1'),
        courierCode: fc.constantFrom(null, 'dhl', 'DHL', 'ups'),
        label: fc.constantFrom(null, 'Lamp'),
        registration: fc.constantFrom('pending' as const, 'registered' as const, 'rejected' as const),
        archivedAt: fc.constantFrom(null, '2026-11-01T08:00:00.000Z'),
        id: fc.nat(1_000_000).map((id) => `${from}-${id}`),
      })
      .map(({ trackNo, ...fields }) => parcelOf(trackNo, fields));

  it('has the same result as adding them one by one', () => {
    const lists = (from: string): fc.Arbitrary<Parcel[]> =>
      fc.uniqueArray(parcel(from), { maxLength: 8, selector: ({ id }) => id });
    forAll(lists('known'), lists('new'), (known, fresh) => {
      let parcels: readonly Parcel[] = known;
      const oneByOne = fresh.map((added) => {
        const { parcels: next, ...rest } = addParcel(parcels, added, now);
        parcels = next;
        return rest;
      });
      expect(addParcels(known, fresh, now)).toEqual({ additions: oneByOne, parcels });
    });
  });

  it('returns the same list if nothing is new', () => {
    const known = [parcelOf('RB1CN', { registration: 'registered' })];
    expect(addParcels(known, [parcelOf('RB1CN', { id: 'other' })], now).parcels).toBe(known);
  });
});
