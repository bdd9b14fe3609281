import { describe, expect, it } from 'vitest';
import { isSameNumber } from '../../src/lib/text.ts';
import { identityKey, sameCourier, sameParcel } from '../../src/parcels/identity.ts';

describe("a parcel's identity", () => {
  it('ignores case', () => {
    expect(isSameNumber('rb1cn', 'RB1CN')).toBe(true);
    expect(isSameNumber('RB1CN', 'RB2CN')).toBe(false);
    expect(sameCourier('DHL', 'dhl')).toBe(true);
  });

  it('distinguishes couriers, including a known courier from an unknown one', () => {
    const dhl = { trackNo: 'RB1CN', courierCode: 'dhl' };
    expect(sameParcel(dhl, { trackNo: 'rb1cn', courierCode: 'dhl' })).toBe(true);
    expect(sameParcel(dhl, { trackNo: 'RB1CN', courierCode: 'ups' })).toBe(false);
    expect(sameParcel(dhl, { trackNo: 'RB1CN', courierCode: null })).toBe(false);
    expect(sameCourier(null, null)).toBe(true);
  });

  it('has a unique key', () => {
    expect(identityKey({ trackNo: 'rb1', courierCode: 'DHL' })).toBe(
      identityKey({ trackNo: 'RB1', courierCode: 'dhl' }),
    );
    expect(identityKey({ trackNo: 'A', courierCode: null })).not.toBe(
      identityKey({ trackNo: 'A', courierCode: 'null' }),
    );
  });
});
