import { stageWords } from '../../service/record/status.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { lookWord, statusNow, type Viewing } from '../status/status-now.ts';
import { fold } from '../text/fold.ts';
import { orderNoOf, remarkOf } from '../timeline/merchant-notes.ts';
import { factPhrases } from '../timeline/parcel-facts.ts';

/**
 * What the words of a filter are looked for in, folded, a field a line: number, label, tags, courier (number and courier of
 * the last mile, too), status, stage, place, text of the last event, order number, remark and what else the head of the
 * timeline shows: delivered when, signed by whom, pieces, weight, size, service level.
 */
export function searchText(parcel: Parcel, viewing: Viewing): string {
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
