import { fold } from '../../lib/text.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { parcelStatusParts } from '../../parcels/parcel-state.ts';
import { stageTable } from '../../parcels/stages.ts';
import type { Checkpoint } from '../../service/record.ts';
import { mentionsDropOff, subStatusText } from '../../service/status.ts';
import type { ParcelColumn } from '../columns.ts';
import { orderNoOf, parcelLook, remarkOf } from '../parcel-facts.ts';
import { shortStatus, statusWordings, type Viewing } from '../status/status-now.ts';
import type { StandardColumn } from './list-columns.ts';

/** Sub-statuses that only say that something happened. */
const vagueSubStatuses: ReadonlySet<string> = new Set(['IN_TRANSIT_01', 'ABNORMAL_08', 'DELIVERY_FAILED_04']);

/**
 * Returns the wording of a sub-status if it adds something to the courier's own text, or null. For text that is not
 * clearly English, it usually does.
 */
export function extraWording(checkpoint: Checkpoint): string | null {
  const wording = subStatusText(checkpoint.subStatus);
  if (wording === null || checkpoint.detail === null) return wording;
  if (vagueSubStatuses.has(checkpoint.subStatus ?? '')) return isClearlyEnglish(checkpoint.detail) ? null : wording;
  if (checkpoint.subStatus === 'DELIVERED_04' && mentionsDropOff(checkpoint.detail)) return null;
  return repeatsStatus(checkpoint.detail, wording) ? null : wording;
}

/** Whether a text contains at least half of the words of a status. */
export function repeatsStatus(text: string, status: string): boolean {
  const textStems = stems(text);
  const statusStems = [...stems(status)];
  return statusStems.length > 0 && statusStems.filter((stem) => textStems.has(stem)).length * 2 >= statusStems.length;
}

function addsNothing(text: string, other: string): boolean {
  if (fold(text) === fold(other)) return true;
  const [textStems, otherStems] = [stems(text), stems(other)];
  return textStems.size > 0 && [...textStems].every((stem) => otherStems.has(stem));
}

const smallWords: ReadonlySet<string> = new Set(['the', 'and', 'for', 'has', 'its', 'from', 'with', 'been', 'another']);

/** Shortens words to stems, so that `delivered` and `delivery` count as the same word. */
function stems(text: string): Set<string> {
  const words = fold(text).match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.filter((word) => !smallWords.has(word)).map((word) => word.slice(0, 5)));
}

/** Words in couriers' texts that exist only in English. */
const englishWords = new Set(
  `about after all and are arrival arrived attempt attempted awaiting back because been before being cancelled carrier collected
  collection completed could courier customer customs cleared damaged delay delayed deliver delivered delivery departed
  departure destination did dispatched due expected facility failed flight forwarded handed has have held incorrect
  item label later leaving left loaded local located missed next out packed package parcel picked port possible prepared
  processed processing ready received recipient refused rescheduled returned returning scanned scheduled sender sent
  shipment shipped shipper should sorted sorting successfully that the their there this through today tomorrow towards unable
  unfortunately unsuccessful until updated vehicle waiting warehouse was way weather were will with your`.split(/\s+/),
);

/**
 * Whether a text contains a word that exists only in English. One is enough, because couriers rarely write sentences.
 */
export function isClearlyEnglish(text: string): boolean {
  return (text.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => englishWords.has(word));
}

/** Returns the place of the newest event, or an empty string if unknown. */
export const placeText = (parcel: Parcel): string => parcel.lastEvent?.address ?? '';

/** Returns the text of the newest event, translated if possible. Empty if there are no events. */
export function newestEventText({ lastEvent }: Parcel, phraseBook: Viewing['phraseBook'] = null): string {
  const { detail = null, translation } = lastEvent ?? {};
  return translation ?? (detail === null ? null : phraseBook?.(detail)) ?? detail ?? '';
}

/** Returns the newest event's text for the event column. Empty if it only repeats the status. */
export function eventNextToStatus(parcel: Parcel, viewing: Viewing): string {
  const text = newestEventText(parcel, viewing.phraseBook);
  return statusWordings(parcel, viewing).some((status) => addsNothing(text, status)) ? '' : text;
}

/**
 * Returns the status wordings for a row, longest first. A parcel that needs attention keeps its full status if
 * possible.
 */
export function rowStatusWordings(parcel: Parcel, viewing: Viewing): readonly [string, ...string[]] {
  const [status, ...shorter] = statusWordings(parcel, viewing);
  const mustBeWhole = stageTable[parcelLook(parcel)].tone === 'attention';
  const { short } = mustBeWhole ? parcelStatusParts(parcel) : { short: null };
  return [status, ...(mustBeWhole ? [] : shorter.slice(0, -1)), ...(short === null ? [] : [short])];
}

/** Returns the destination country as two letters, or an empty string if unknown. */
export const countryText = ({ merchant, record }: Parcel): string => record?.shipTo ?? merchant?.country ?? '';

/** `CN → DE`, or only one country if the other is unknown. */
export const journeyText = (parcel: Parcel): string =>
  [parcel.record?.shipFrom ?? '', countryText(parcel)].filter((country) => country !== '').join(' → ');

type PlainColumn = Exclude<ParcelColumn, StandardColumn>;

/** Columns with plain text. Empty if unknown. */
export const columnTexts: Readonly<Record<PlainColumn, (parcel: Parcel, viewing: Viewing) => string>> = {
  stage: shortStatus,
  label: ({ label }) => label ?? '',
  number: ({ trackNo }) => trackNo,
  'order-number': (parcel) => orderNoOf(parcel) ?? '',
  // An email address that the user entered takes precedence.
  customer: (parcel) => parcel.merchant?.customerEmail || remarkOf(parcel) || '',
  place: placeText,
  days: ({ record }) => String(record?.transitDays ?? ''),
  tags: ({ tags }) => tags.join(', '),
  country: countryText,
};

export const isPlainColumn = (name: string): name is PlainColumn => Object.hasOwn(columnTexts, name);
