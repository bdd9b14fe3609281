import { type CourierNeed, missingNeed } from '../../service/record/courier-needs.ts';
import { stageWords, statusText, subStatusText } from '../../service/record/status.ts';
import { isBeingIndexed } from '../model/indexing.ts';
import type { Parcel } from '../model/parcel.ts';
import { eventStatus, parcelStage } from './parcel-stage.ts';
import { isWaitingForCredit } from './waiting.ts';

const needTexts: Readonly<Record<CourierNeed, string>> = {
  'postal-code': 'Needs a postal code',
  'phone-suffix': 'Needs a phone number',
};

/** What its courier needs to find a parcel that it has not found, and was not given; null when that is not the cause. */
export function needOf(parcel: Parcel): CourierNeed | null {
  if (parcel.record === null && parcel.registration !== 'registered') return null;
  // No courier has been looked at for it.
  if (isBeingIndexed(parcel)) return null;
  return parcelStage(parcel) === 'no-record' ? missingNeed(parcel.courierCode, parcel.extras) : null;
}

/**
 * Where a parcel stands, in words: the record's status; for a rejected parcel the service's own words; for one that is
 * not found what its courier needs to find it.
 */
export function parcelStatusText(parcel: Parcel): string {
  if (parcel.registration === 'rejected') return parcel.error?.message ?? 'Not accepted by the service';
  const need = needOf(parcel);
  if (need !== null) return needTexts[need];
  if (isBeingIndexed(parcel)) return 'Registered, waiting for the first result';
  const subStatus = eventStatus(parcel);
  if (subStatus !== undefined) return subStatusText(subStatus) ?? stageWords.unknown;
  if (parcel.record !== null) return statusText(parcel.record.transitStatus, parcel.record.transitSubStatus);
  if (parcel.registration !== 'pending') return statusText(null, null);
  return isWaitingForCredit(parcel) ? 'Waiting for credit to register' : 'Waiting for registration';
}
