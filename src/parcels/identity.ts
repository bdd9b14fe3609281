import { foldNumber, isSameNumber } from '../lib/text.ts';

/**
 * Returns the id of a parcel's history. A different courier means a different history, so that a parcel never shows
 * another parcel's events.
 */
export function historyIdOf({ id, historyId }: { readonly id: string; readonly historyId?: string }): string {
  return historyId ?? id;
}

export interface ParcelIdentity {
  readonly trackNo: string;
  /** Null while the courier is unknown. */
  readonly courierCode: string | null;
}

/** Compares courier codes, ignoring case. Null equals only null. */
export function sameCourier(a: string | null, b: string | null): boolean {
  return foldCourier(a) === foldCourier(b);
}

export function sameParcel(a: ParcelIdentity, b: ParcelIdentity): boolean {
  return isSameNumber(a.trackNo, b.trackNo) && sameCourier(a.courierCode, b.courierCode);
}

export function identityKey(parcel: ParcelIdentity): string {
  return JSON.stringify([foldNumber(parcel.trackNo), foldCourier(parcel.courierCode)]);
}

export function foldCourier(courierCode: string | null): string | null {
  return courierCode === null ? null : courierCode.toLowerCase();
}

/** Returns a function that returns true only the first time it is called with each key. */
export function createIsFirst(seen: Set<string> = new Set()): (key: string) => boolean {
  return (key) => {
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  };
}
