import { StoreError } from '../lib/store-errors.ts';
import { foldNumber, isSameNumber } from '../lib/text.ts';

/** What a parcel's id may look like; it serves as a file name. */
export const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Throws a `StoreError` about `path` for what is no id: ids serve as names elsewhere, and of other texts not every store can hold all. */
export function refuseOddId(id: string, path: string): void {
  if (!idPattern.test(id))
    throw new StoreError(
      'failed',
      `${JSON.stringify(id.slice(0, 80))} is no id of a parcel, and nothing was done with it.`,
      path,
    );
}

/** The name of a parcel's history. It changes with the index, so that no parcel ever shows another one's events. */
export function historyIdOf({ id, historyId }: { readonly id: string; readonly historyId?: string }): string {
  return historyId ?? id;
}

/** What names a parcel: number and courier code. */
export interface ParcelIdentity {
  readonly trackNo: string;
  /** Null while the courier is unknown. */
  readonly courierCode: string | null;
}

/** Whether two courier codes are the same one; upper and lower case do not matter, unknown equals only unknown. */
export function sameCourier(a: string | null, b: string | null): boolean {
  return foldCourier(a) === foldCourier(b);
}

/** Whether two parcels are the same one: same number under the same courier, or under none in both. */
export function sameParcel(a: ParcelIdentity, b: ParcelIdentity): boolean {
  return isSameNumber(a.trackNo, b.trackNo) && sameCourier(a.courierCode, b.courierCode);
}

/** A parcel's identity as one text, equal exactly for the same parcel; for maps and sets. */
export function identityKey(parcel: ParcelIdentity): string {
  return JSON.stringify([foldNumber(parcel.trackNo), foldCourier(parcel.courierCode)]);
}

/** The form in which courier codes are compared. */
export function foldCourier(courierCode: string | null): string | null {
  return courierCode === null ? null : courierCode.toLowerCase();
}
