import { StoreError } from '../lib/store-errors.ts';
import { foldNumber, isSameNumber } from '../lib/text.ts';

/** A parcel's id also serves as a file name. */
export const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Throws a `StoreError` for `path` if the id is invalid. */
export function assertValidId(id: string, path: string): void {
  if (!idPattern.test(id))
    throw new StoreError(
      'failed',
      `${JSON.stringify(id.slice(0, 80))} is not a valid parcel id, so nothing was changed.`,
      path,
    );
}

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

/** Returns a parcel's identity as a key for maps and sets. */
export function identityKey(parcel: ParcelIdentity): string {
  return JSON.stringify([foldNumber(parcel.trackNo), foldCourier(parcel.courierCode)]);
}

/** Returns a courier code in the form that is used for comparisons. */
export function foldCourier(courierCode: string | null): string | null {
  return courierCode === null ? null : courierCode.toLowerCase();
}
