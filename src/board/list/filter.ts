import { stageWords } from '../../service/record/status.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { lookWord, statusNow, type Viewing } from '../status/status-now.ts';
import { fold } from '../text/fold.ts';
import { orderNoOf, remarkOf } from '../timeline/merchant-notes.ts';
import { factPhrases } from '../timeline/parcel-facts.ts';

/**
 * Reads a filter once for many parcels: each of its words must occur somewhere in number, label, tags, courier
 * (number and courier of the last mile, too), status, stage, place, text of the last event, order number, remark or what
 * else the head of its timeline shows: delivered when, signed by whom, pieces, weight, size, service level. Case and accents
 * do not matter; an empty filter passes all.
 */
export function createFilter(filterText: string, viewing: Viewing): (parcel: Parcel) => boolean {
  const words = fold(filterText)
    .split(' ')
    .filter((word) => word !== '');
  if (words.length === 0) return () => true;
  return (parcel) => {
    const text = searchText(parcel, viewing);
    return words.every((word) => text.includes(word));
  };
}

function searchText(parcel: Parcel, viewing: Viewing): string {
  const { record, lastEvent } = parcel;
  return [
    parcel.trackNo,
    parcel.label,
    ...parcel.tags,
    parcel.courierCode,
    record?.courierNameEN,
    record?.courierNameCN,
    record?.lastMile?.trackNo,
    record?.lastMile?.courierCode,
    record?.lastMile?.courierName,
    statusNow(parcel, viewing),
    stageWords[parcelStage(parcel)],
    lookWord(parcel, viewing),
    lastEvent?.address,
    lastEvent?.detail,
    orderNoOf(parcel),
    remarkOf(parcel),
    ...factPhrases(parcel, viewing),
  ]
    .map((text) => fold(text ?? ''))
    .join('\n');
}
