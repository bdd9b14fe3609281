import type { Parcel } from '../../src/parcels/parcel.ts';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import { someThursday } from '../support/fake-clock.ts';

/** Creates a parcel with defaults. Its id is the number in lower case. */
export function parcelOf(trackNo: string, fields: Partial<Parcel> = {}): Parcel {
  const draft = { trackNo, courierCode: null, label: null, postalCode: null, phoneSuffix: null };
  return { ...newParcel(draft, someThursday, () => 0.5), id: trackNo.toLowerCase(), ...fields };
}
