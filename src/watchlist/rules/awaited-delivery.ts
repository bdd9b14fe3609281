import { type ExpectedDelivery, expectedDelivery } from '../../service/record/expected-delivery.ts';
import type { Stage } from '../../service/record/status.ts';
import type { Parcel, ParcelHistory } from '../model/parcel.ts';
import { hasEnded, parcelStage } from './parcel-stage.ts';

const underWay: readonly Stage[] = ['out-for-delivery', 'in-transit', 'announced', 'attention', 'no-record', 'unknown'];

/** What is lost, cancelled, refused or on its way back comes no more, whenever it was expected. */
const comesNoMore = /^ABNORMAL_0[3-7]$/;

/**
 * When a parcel is expected, as the service said; null for one that is delivered, waits to be picked up, has expired,
 * comes no more, was rejected or was put away. A history holds it for records that were kept before the index did.
 */
export function awaitedDelivery(parcel: Parcel, history?: ParcelHistory): ExpectedDelivery | null {
  const { record } = parcel;
  if (record === null || (record.expectedDelivery === undefined && history === undefined)) return null;
  // Who put a parcel away awaits it no more.
  const isAwaited =
    parcel.archivedAt === null && parcel.registration !== 'rejected' && underWay.includes(parcelStage(parcel));
  if (!isAwaited || hasEnded(parcel) || comesNoMore.test(record.transitSubStatus ?? '')) return null;
  const received = history?.received ?? null;
  return record.expectedDelivery ?? (received === null ? null : expectedDelivery(received));
}
