import { stageWords } from '../../service/record/status.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { statusWordings, type Viewing } from '../status/status-now.ts';
import { fold } from '../text/fold.ts';
import { orderNoOf, remarkOf } from '../timeline/merchant-notes.ts';
import { deliveredPhrase, lastingPhrases } from '../timeline/parcel-facts.ts';

/** What the words of a filter are looked for in, in two parts. */
export interface SearchedTexts {
  /** {@link lastingText} */
  lasting(parcel: Parcel): string;
  /** {@link changingText} */
  changing(parcel: Parcel): string;
}

/**
 * Of what the words of a filter are looked for in, what stays as long as the parcel stays as it is, folded, a field a line:
 * number, label, tags, courier (number and courier of the last mile, too), stage, place, text of the last event, order
 * number, remark and what else the head of the timeline shows: signed by whom, pieces, weight, size, service level.
 */
export function lastingText(parcel: Parcel): string {
  const { record, lastEvent } = parcel;
  const lastMile = record?.lastMile;
  return inLines([
    parcel.trackNo,
    parcel.label,
    ...parcel.tags,
    parcel.courierCode,
    record?.courierNameEN,
    record?.courierNameCN,
    lastMile?.trackNo,
    lastMile?.courierCode,
    lastMile?.courierName,
    stageWords[parcelStage(parcel)],
    lastEvent?.address,
    lastEvent?.detail,
    orderNoOf(parcel),
    remarkOf(parcel),
    ...lastingPhrases(parcel),
  ]);
}

/** And what changes by the passing of time: the status in full and in a word, and when it was delivered. */
export function changingText(parcel: Parcel, viewing: Viewing): string {
  const wordings = statusWordings(parcel, viewing);
  return inLines([wordings[0], wordings.at(-1), deliveredPhrase(parcel, viewing.now, viewing.zone)]);
}

function inLines(texts: readonly (string | null | undefined)[]): string {
  let lines = '';
  for (const text of texts) if (text) lines += `${fold(text)}\n`;
  return lines;
}

/** Texts that are put together each time. */
export const searchedTexts = (viewing: Viewing): SearchedTexts => ({
  lasting: lastingText,
  changing: (parcel) => changingText(parcel, viewing),
});
