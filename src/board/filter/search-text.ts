import { stageWords } from '../../service/record/status.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { isClosed, parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { statusWordings, type Viewing } from '../status/status-now.ts';
import { courierName } from '../status/view-stage.ts';
import { fold } from '../text/fold.ts';
import { orderNoOf, remarkOf } from '../timeline/merchant-notes.ts';
import { deliveredPhrase, lastingPhrases } from '../timeline/parcel-facts.ts';

/**
 * What the words of a filter are looked for in, folded, a field a line: number, label, tags, courier (number and courier of the
 * last mile, too), stage, place, text of the last event, order number, remark, what else the head of the timeline shows (signed
 * by whom, pieces, weight, size, service level), the status in full and in a word, and when it was delivered.
 */
export function searchText(parcel: Parcel, viewing: Viewing): string {
  const { record, lastEvent } = parcel;
  const lastMile = record?.lastMile;
  const wordings = statusWordings(parcel, viewing);
  const texts = [
    parcel.trackNo,
    parcel.label,
    ...parcel.tags,
    parcel.courierCode,
    courierName(parcel),
    record?.courierNameCN,
    lastMile?.trackNo,
    lastMile?.courierCode,
    lastMile?.courierName,
    isClosed(parcel) ? 'Closed' : stageWords[parcelStage(parcel)],
    lastEvent?.address,
    lastEvent?.detail,
    orderNoOf(parcel),
    remarkOf(parcel),
    ...lastingPhrases(parcel),
    wordings[0],
    wordings.at(-1),
    deliveredPhrase(parcel, viewing.now, viewing.zone),
  ];
  const lines: string[] = [];
  for (const text of texts) if (text) lines.push(fold(text));
  return lines.join('\n');
}

/** As {@link searchText}, of each parcel once: a filter that is typed is looked for in all of them with every letter. */
export function searchTexts(viewing: Viewing): (parcel: Parcel) => string {
  const known = new Map<Parcel, string>();
  return (parcel) => {
    const before = known.get(parcel);
    if (before !== undefined) return before;
    const text = searchText(parcel, viewing);
    known.set(parcel, text);
    return text;
  };
}
