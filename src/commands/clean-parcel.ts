import { cleanText, cleanTextOrNull } from '../service/text.ts';
import type { Parcel, ParcelMerchant } from '../watchlist/parcel.ts';

/**
 * A parcel whose entered texts are safe to print: what the user wrote into the file by hand has passed no cleaning yet,
 * and may end on a terminal. Texts that the program itself accepts stay as they are.
 */
export function cleanParcel(parcel: Parcel): Parcel {
  const { courierCode, extras, label, merchant, tags, trackNo } = parcel;
  return {
    ...parcel,
    trackNo: cleanText(trackNo),
    courierCode: cleanTextOrNull(courierCode),
    label: cleanTextOrNull(label),
    tags: tags.map(cleanText).filter((tag) => tag !== ''),
    extras: { postalCode: cleanTextOrNull(extras.postalCode), phoneSuffix: cleanTextOrNull(extras.phoneSuffix) },
    ...(merchant === undefined ? {} : { merchant: cleanMerchant(merchant) }),
  };
}

function cleanMerchant(merchant: ParcelMerchant): ParcelMerchant {
  const fields = Object.entries(merchant).map(([name, value]) => [name, cleanTextOrNull(value)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== null));
}
