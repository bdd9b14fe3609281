import { stageWords } from '../../service/record/status.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { isClosed, parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { statusWordings, type Viewing } from '../status/status-now.ts';
import { courierName } from '../status/view-stage.ts';
import { fold } from '../text/fold.ts';
import { orderNoOf, remarkOf } from '../timeline/merchant-notes.ts';
import { deliveredPhrase, lastingPhrases } from '../timeline/parcel-facts.ts';

/** What the words of a filter are looked for in, in two parts. */
export interface SearchedTexts {
  /** See {@link lastingText}. */
  readonly lasting: string;
  /** See {@link changingText}; asked for when the other does not decide. */
  changing(): string;
}

/**
 * Of what the words of a filter are looked for in, what stays as long as the parcel stays as it is, folded, a field a line:
 * number, label, tags, courier (number and courier of the last mile, too), stage, place, text of the last event, order
 * number, remark and what else the head of the timeline shows: signed by whom, pieces, weight, size, service level.
 */
export function lastingText(parcel: Parcel, folds: Fold = fold): string {
  const { record, lastEvent } = parcel;
  const lastMile = record?.lastMile;
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
  ];
  return inLines(texts, folds);
}

/** And what changes by the passing of time: the status in full and in a word, and when it was delivered. */
export function changingText(parcel: Parcel, viewing: Viewing, folds: Fold = fold): string {
  const wordings = statusWordings(parcel, viewing);
  return inLines([wordings[0], wordings.at(-1), deliveredPhrase(parcel, viewing.now, viewing.zone)], folds);
}

/** Folds a text. */
type Fold = (text: string) => string;

function inLines(texts: readonly (string | null | undefined)[], folds: Fold): string {
  const lines: string[] = [];
  for (const text of texts) if (text) lines.push(folds(text));
  return lines.join('\n');
}

/** The texts of a parcel, put together each time. */
export const searchedTexts = (parcel: Parcel, viewing: Viewing): SearchedTexts => ({
  lasting: lastingText(parcel),
  changing: () => changingText(parcel, viewing),
});
