import { describe, expect, it } from 'vitest';
import { findByName, findOneParcel, readParcelName } from '../../src/commands/select-parcels.ts';
import { NotWatchedError, UsageError } from '../../src/settings/errors.ts';
import { aParcel, aPendingParcel } from '../board/parcels.ts';

const ups = aParcel({ id: 'ups', trackNo: 'AB12345', courierCode: 'ups' });
const dhl = aParcel({ id: 'dhl', trackNo: 'AB12345', courierCode: 'dhl' });
const withoutCourier = aPendingParcel({ id: 'open', trackNo: 'AB12345' });
const other = aParcel({ id: 'other', trackNo: 'CD98765' });
const all = [ups, dhl, withoutCourier, other];

describe('finding a parcel named on the command line', () => {
  it('needs only the number, in either case and with or without spaces', () => {
    expect(findOneParcel(all, ' cd 98 765', null)).toBe(other);
  });

  it('distinguishes parcels with the same number by courier', () => {
    expect(findOneParcel(all, 'AB12345', 'DHL')).toBe(dhl);
    expect(findOneParcel(all, 'AB12345@ups', null)).toBe(ups);
    expect(findOneParcel(all, 'AB12345@ups', 'dhl')).toBe(ups);
    expect(findOneParcel(all, 'AB12345@', null)).toBe(withoutCourier);
  });

  it('lists the parcels if several match', () => {
    expect(() => findOneParcel(all, 'AB12345', null)).toThrow(UsageError);
    expect(() => findOneParcel(all, 'AB12345', null)).toThrow(/AB12345@ups, AB12345@dhl, AB12345@\./);
  });

  it('finds nothing for an unknown number, an unknown courier or no number', () => {
    expect(() => findOneParcel(all, 'ZZ00000', null)).toThrow(NotWatchedError);
    expect(() => findOneParcel(all, 'CD98765', 'ups')).toThrow(/under the courier "ups"/);
    expect(() => findOneParcel(all, '?!', null)).toThrow(NotWatchedError);
  });

  it('accepts a label that only one parcel has, ignoring case and accents', () => {
    const lamp = aParcel({ id: 'lamp', trackNo: 'EF12345', courierCode: 'ups', label: 'Café lamp 2' });
    expect(findOneParcel([...all, lamp], 'cafe  LAMP 2', null)).toBe(lamp);
    expect(() => findOneParcel([...all, lamp], 'lamp', null)).toThrow(/number, label or order number "lamp"/);
  });

  it('finds a parcel by its order number', () => {
    const ordered = aParcel({ id: 'ordered', trackNo: 'AB1', merchant: { orderNo: '#1001' } });
    expect(findOneParcel([...all, ordered], '#1001', null)).toBe(ordered);
    const second = { ...ordered, id: 'another', trackNo: 'AB2' };
    expect(() => findOneParcel([ordered, second], '#1001', null)).toThrow(/2 parcels have the order number "#1001"/);
  });

  it('lists the parcels if several have the label', () => {
    const lamps = [aParcel({ ...ups, label: 'Lamp' }), aParcel({ ...other, label: 'lamp', courierCode: 'dhl' })];
    expect(() => findOneParcel(lamps, 'Lamp', null)).toThrow(UsageError);
    expect(() => findOneParcel(lamps, 'Lamp', null)).toThrow(/2 parcels.*AB12345@ups, CD98765@dhl\./);
    expect(findOneParcel(lamps, 'Lamp', 'dhl')).toBe(lamps[1]);
  });

  it('prefers a number to a label with the same text', () => {
    const labelled = aParcel({ id: 'named', trackNo: 'EF12345', label: 'CD98765' });
    expect(findOneParcel([labelled, other], 'CD98765', null)).toBe(other);
    expect(findOneParcel([labelled], 'CD98765', null)).toBe(labelled);
  });

  it('accepts a number with hyphens, as printed on a label', () => {
    const plain = aParcel({ id: 'plain', trackNo: '123456789012' });
    const exact = aParcel({ id: 'exact', trackNo: '1234-5678-9012' });
    expect(findOneParcel([plain], '1234-5678-9012', null)).toBe(plain);
    expect(findOneParcel([plain, exact], '1234-5678-9012', null)).toBe(exact);
  });

  it('lists all couriers of a number', () => {
    const reading = readParcelName('ab12345', null);
    expect(reading.ok && findByName(all, reading.name)).toEqual([ups, dhl, withoutCourier]);
  });
});
