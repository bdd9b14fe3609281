import { describe, expect, it } from 'vitest';
import { NotWatchedError, UsageError } from '../../src/commands/errors.ts';
import { oneParcelNamed, parcelsNamed, readParcelName } from '../../src/commands/find-parcel.ts';
import { aParcel, aPendingParcel } from '../board/parcels.ts';

const ups = aParcel({ id: 'ups', trackNo: 'AB12345', courierCode: 'ups' });
const dhl = aParcel({ id: 'dhl', trackNo: 'AB12345', courierCode: 'dhl' });
const open = aPendingParcel({ id: 'open', trackNo: 'AB12345' });
const other = aParcel({ id: 'other', trackNo: 'CD98765' });
const all = [ups, dhl, open, other];

describe('naming a parcel on the command line', () => {
  it('needs the number only, in any case and with spaces', () => {
    expect(oneParcelNamed(all, ' cd 98 765', null)).toBe(other);
  });

  it('tells parcels of the same number apart by courier', () => {
    expect(oneParcelNamed(all, 'AB12345', 'DHL')).toBe(dhl);
    expect(oneParcelNamed(all, 'AB12345@ups', null)).toBe(ups);
    expect(oneParcelNamed(all, 'AB12345@ups', 'dhl')).toBe(ups);
    expect(oneParcelNamed(all, 'AB12345@', null)).toBe(open);
  });

  it('is wrong usage when several parcels fit, and lists them', () => {
    expect(() => oneParcelNamed(all, 'AB12345', null)).toThrow(UsageError);
    expect(() => oneParcelNamed(all, 'AB12345', null)).toThrow(/AB12345@ups, AB12345@dhl, AB12345@\./);
  });

  it('finds nothing for an unknown number, an unknown courier or no number at all', () => {
    expect(() => oneParcelNamed(all, 'ZZ00000', null)).toThrow(NotWatchedError);
    expect(() => oneParcelNamed(all, 'CD98765', 'ups')).toThrow(/under the courier "ups"/);
    expect(() => oneParcelNamed(all, '?!', null)).toThrow(NotWatchedError);
  });

  it('lists all couriers of a number', () => {
    const reading = readParcelName('ab12345', null);
    expect(reading.ok && parcelsNamed(all, reading.name)).toEqual([ups, dhl, open]);
  });
});
