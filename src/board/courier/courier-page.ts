import { keptAddressOrNull } from '../../service/text/clean-text.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';

/** Where some couriers want the number; within a path it has been encoded when the address was read. */
const placeholder = /\{trackingNo\}|%7BtrackingNo%7D/gi;

function fillIn(link: string | null | undefined, trackNo: string): string | null {
  return link == null ? null : keptAddressOrNull(link.replace(placeholder, () => encodeURIComponent(trackNo)));
}

/** Pages about a parcel, numbers filled in: first the one of the courier who has it now. */
function trackingLinks({ record, trackNo }: Pick<Parcel, 'record' | 'trackNo'>): readonly string[] {
  const lastMile = record?.lastMile;
  const links = [
    fillIn(lastMile?.courierTrackingLink, lastMile?.trackNo ?? trackNo),
    fillIn(record?.courierTrackingLink, trackNo),
  ];
  return links.filter((link) => link !== null);
}

/** The page about a parcel at the courier who has it now; null where none is known. Always http or https. */
export function trackingLink(parcel: Pick<Parcel, 'record' | 'trackNo'>): string | null {
  return trackingLinks(parcel)[0] ?? null;
}

/** The home page of the courier who has a parcel now, else of the first one. Always http or https. */
export function courierHomePage({ record }: Pick<Parcel, 'record'>): string | null {
  return keptAddressOrNull(record?.lastMile?.courierHomePage) ?? keptAddressOrNull(record?.courierHomePage);
}

/** The page to look at for a parcel: its own at a courier, else a courier's home page. Always http or https. */
export function courierPage(parcel: Pick<Parcel, 'record' | 'trackNo'>): string | null {
  return courierPages(parcel)[0] ?? null;
}

/** All pages about a parcel, the one of the courier who has it now first; a home page where there is no other. */
export function courierPages(parcel: Pick<Parcel, 'record' | 'trackNo'>): readonly string[] {
  const links = trackingLinks(parcel);
  const home = courierHomePage(parcel);
  return links.length > 0 || home === null ? [...new Set(links)] : [home];
}
