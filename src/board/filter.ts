import { stageWords } from '../service/status.ts';
import type { Parcel } from '../watchlist/parcel.ts';
import { fold } from './fold.ts';
import { stageLooks } from './stage-look.ts';
import { parcelLook, parcelStage, parcelStatusText } from './view-stage.ts';

/**
 * Reads a filter once for many parcels: each of its words must occur somewhere in number, label, tags, courier,
 * status, stage, place or text of the last event. Case and accents do not matter; an empty filter passes all.
 */
export function createFilter(filterText: string): (parcel: Parcel) => boolean {
  const words = fold(filterText)
    .split(' ')
    .filter((word) => word !== '');
  if (words.length === 0) return () => true;
  return (parcel) => {
    const text = searchText(parcel);
    return words.every((word) => text.includes(word));
  };
}

/** Whether one parcel passes a filter, see {@link createFilter}. */
export function matchesFilter(parcel: Parcel, filterText: string): boolean {
  return createFilter(filterText)(parcel);
}

function searchText(parcel: Parcel): string {
  const { record, lastEvent } = parcel;
  return [
    parcel.trackNo,
    parcel.label,
    ...parcel.tags,
    parcel.courierCode,
    record?.courierNameEN,
    record?.courierNameCN,
    parcelStatusText(parcel),
    stageWords[parcelStage(parcel)],
    stageLooks[parcelLook(parcel)].word,
    lastEvent?.address,
    lastEvent?.detail,
  ]
    .map((text) => fold(text ?? ''))
    .join('\n');
}
