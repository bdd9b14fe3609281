import type { Parcel } from '../../watchlist/model/parcel.ts';
import { awaitedDelivery } from '../../watchlist/rules/awaited-delivery.ts';
import { parcelStatusWords } from '../../watchlist/rules/status-text.ts';
import { type ExpectedWording, expectedWording } from '../status/expected-wording.ts';
import { repeatsHeading, stageLooks } from '../status/stage-look.ts';
import { statusWordings, type Viewing } from '../status/status-now.ts';
import { parcelLook } from '../status/view-stage.ts';
import { addsNothing } from '../timeline/event-wording.ts';

/** Where the newest event happened; empty when that is not known. */
export const placeText = (parcel: Parcel): string => parcel.lastEvent?.address ?? '';

/** What the newest event says, in the courier's words or translated; empty without one. */
export function newestEventText({ lastEvent }: Parcel): string {
  return lastEvent?.translation ?? lastEvent?.detail ?? '';
}

/** What a column beside the status shows of the newest event: nothing where that says what the status says. */
export function eventBesideStatus(parcel: Parcel, viewing: Viewing): string {
  const text = newestEventText(parcel);
  return statusWordings(parcel, viewing).some((status) => addsNothing(text, status)) ? '' : text;
}

/** When a parcel is expected, on the viewer's clock; null where it is not. */
export function expectedText(parcel: Parcel, viewing: Viewing): ExpectedWording | null {
  const awaited = awaitedDelivery(parcel);
  return awaited === null ? null : expectedWording(awaited, viewing, viewing.zone);
}

/** The status in full, then in fewer words where there are such that still say more than the heading. */
export function ownStatusWordings(parcel: Parcel, viewing: Viewing): readonly [string, ...string[]] {
  const [status, ...shorter] = statusWordings(parcel, viewing);
  const mustBeWhole = stageLooks[parcelLook(parcel)].tone === 'attention';
  const { short } = mustBeWhole ? parcelStatusWords(parcel) : { short: null };
  return [status, ...(mustBeWhole ? [] : shorter.slice(0, -1)), ...(short === null ? [] : [short])];
}

/** A list that may stand under headings that say the stage; it does when left out. */
interface UnderHeadings extends Viewing {
  readonly hasStageHeadings?: boolean;
}

/**
 * {@link ownStatusWordings}, but the newest event in place of a status that would only repeat the heading of its group.
 */
export function statusOrEventWordings(
  parcel: Parcel,
  viewing: UnderHeadings,
  wordings = ownStatusWordings(parcel, viewing),
): readonly [string, ...string[]] {
  const look = parcelLook(parcel);
  if (viewing.hasStageHeadings === false || !repeatsHeading(wordings[0], look)) return wordings;
  const event = newestEventText(parcel);
  return event === '' || addsNothing(event, wordings[0]) ? wordings : [event];
}
