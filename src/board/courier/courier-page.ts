import { keptAddressOrNull } from '../../service/text/clean-text.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';

/** Where some couriers want the number; within a path it has been encoded when the address was read. */
const placeholder = /\{trackingNo\}|%7BtrackingNo%7D/gi;

/** The courier's page about a parcel, its number filled in; null where none is known. Always http or https. */
export function trackingLink({ record, trackNo }: Pick<Parcel, 'record' | 'trackNo'>): string | null {
  const link = record?.courierTrackingLink ?? null;
  return link === null ? null : keptAddressOrNull(link.replace(placeholder, () => encodeURIComponent(trackNo)));
}

/** The page to look at for a parcel: its own at the courier's, else the courier's home page. Always http or https. */
export function courierPage(parcel: Pick<Parcel, 'record' | 'trackNo'>): string | null {
  return trackingLink(parcel) ?? keptAddressOrNull(parcel.record?.courierHomePage);
}
