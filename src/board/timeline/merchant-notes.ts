import type { Parcel } from '../../watchlist/model/parcel.ts';

/*
 * A file of its own because JSON needs nothing else of the timeline, and nothing that measures text.
 */

/** The order number of a parcel: what was entered here, else what the service holds. */
export function orderNoOf({ merchant, record }: Pick<Parcel, 'merchant' | 'record'>): string | null {
  return merchant?.orderNo || record?.orderNo || null;
}

/** The remark about a parcel: what was entered here, else what the service holds. */
export function remarkOf({ merchant, record }: Pick<Parcel, 'merchant' | 'record'>): string | null {
  return merchant?.remark || record?.remark || null;
}
