import { type CourierNeed, missingNeed } from '../service/couriers.ts';
import {
  coreOf,
  coreStatusText,
  isDelivery,
  knownSubStatusText,
  saysWhereLeft,
  stageOf,
  subStatusText,
} from '../service/status.ts';
import type { Parcel } from './parcel.ts';
import { eventStatus, isBeingIndexed, isWaitingForCredit, parcelStage } from './parcel-stage.ts';
import { stageTable } from './stages.ts';

/** A status in words, in the order in which they are read. */
export interface StatusWords {
  /** The core status, in the words of the sub-status where that belongs to it. */
  readonly main: string;
  /** What is said besides, with the sign that parts it from `main`; empty for nothing. */
  readonly besides: string;
  /** What is said besides, by itself; null where that makes no sense. */
  readonly short: string | null;
}

/**
 * A record's status in words. A sub-status of another core status is said behind that, since both are independent fields. A
 * code that is not known stands behind the words; a core status that is not known appears as the service wrote it.
 */
export function statusWords(transitStatus: string | null, transitSubStatus: string | null): StatusWords {
  const main = transitStatus === null ? stageTable['no-record'].title : coreStatusText(transitStatus);
  if (transitSubStatus === null) return { main, besides: '', short: null };
  const own = knownSubStatusText(transitSubStatus);
  if (own === undefined) return { main, besides: ` (${transitSubStatus})`, short: null };
  const core = transitStatus === 'OUT_FOR_DELIVERY' ? 'WAITING_DELIVERY' : transitStatus;
  if (coreOf(transitSubStatus) === core) return { main: own, besides: '', short: null };
  return { main, besides: `; ${own.charAt(0).toLowerCase()}${own.slice(1)}`, short: own };
}

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
  const { main, besides } = parcelStatusWords(parcel);
  return `${main}${besides}`;
}

/** {@link parcelStatusText} in its parts. */
export function parcelStatusWords(parcel: Parcel): StatusWords {
  const { record } = parcel;
  if (parcel.registration === 'rejected') return only(parcel.error?.message ?? 'Not accepted by the service');
  const need = needOf(parcel);
  if (need !== null) return only(needTexts[need]);
  if (isBeingIndexed(parcel)) return only('Registered, waiting for the first result');
  const subStatus = eventStatus(parcel);
  if (subStatus !== undefined) return only(subStatusText(subStatus) ?? stageTable.unknown.title);
  if (record === null) {
    if (parcel.registration !== 'pending') return only(stageTable['no-record'].title);
    return only(isWaitingForCredit(parcel) ? 'Waiting for credit to register' : 'Waiting for registration');
  }
  const left = whereLeft(parcel);
  if (left !== null) return only(left);
  const words = statusWords(record.transitStatus, record.transitSubStatus);
  if (!isUnreportedDelivery(parcel)) return words;
  const others = isDelivery(record.transitSubStatus) ? '' : words.besides;
  return { main: words.main, besides: `${others}; newest event: delivered`, short: 'Newest event: delivered' };
}

const only = (main: string): StatusWords => ({ main, besides: '', short: null });

/** More characters than this are no status. */
const longestStatus = 80;

/** What the courier says of where it left a parcel; null where it was not left, or no text tells where. */
function whereLeft({ lastEvent, record }: Parcel): string | null {
  if (record?.transitStatus !== 'DELIVERED' || record.transitSubStatus !== 'DELIVERED_04') return null;
  const event = [record.arrival, lastEvent].find((one) => one?.subStatus === 'DELIVERED_04');
  const texts = [event?.translation, event?.detail].filter((text) => text != null);
  return texts.find((text) => text.length <= longestStatus && saysWhereLeft(text)) ?? null;
}

/** Whether the newest event tells of a delivery of which the service's status says nothing. */
export function isUnreportedDelivery({ lastEvent, record, registration }: Parcel): boolean {
  if (record === null || record.transitStatus === null || registration === 'rejected') return false;
  return isDelivery(lastEvent?.subStatus ?? null) && stageOf(record.transitStatus, null) !== 'delivered';
}
