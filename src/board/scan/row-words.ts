import type { JudgedRow, RowStanding } from './judge-rows.ts';
import type { FoundNumber } from './scan-row.ts';

const standingWords: Readonly<Record<RowStanding, string>> = {
  new: 'new',
  watched: 'watched',
  archived: 'archived',
  rejected: 'rejected',
  twice: 'twice',
  'no-number': 'no number',
  'unknown-courier': 'no such courier',
};

/** How a row stands to the watchlist, in a word or two. */
export function standingText({ remark, standing, wanted }: JudgedRow): string {
  if (standing === 'new' && remark !== null && wanted === null) return 'doubtful';
  return standingWords[standing];
}

/** Calls a courier as people do; the code itself where nobody knows its name. */
export type CourierNames = (courierCode: string) => string;

/** Most candidates that are named. */
const mostNamed = 3;

/**
 * The courier of a row: the one that was named or chosen, or that the watchlist knows; else who may be meant, with a question mark, as the service
 * finds it out; empty where nothing is known.
 */
export function courierText(
  { courierCode: named, found, parcel }: Pick<JudgedRow, 'courierCode' | 'found' | 'parcel'>,
  names: CourierNames,
): string {
  const courierCode = named ?? parcel?.courierCode ?? null;
  if (courierCode !== null) {
    const candidate = found.candidates.find((one) => one.courierCode === courierCode);
    return candidate?.name ?? names(courierCode);
  }
  const candidates = [...new Set(found.candidates.map(({ name }) => name))];
  if (candidates.length === 0) return '';
  const more = candidates.length > mostNamed ? ' …' : '';
  return `${candidates.slice(0, mostNamed).join(' or ')}${more}?`;
}

/** Why a text was taken for a number, as a sentence without its full stop. */
export const evidenceWords: Readonly<Record<FoundNumber['evidence'], string>> = {
  'parcel-delivery': 'The sender names it as a parcel',
  link: 'A link to a tracking page holds it',
  'check-digit': 'Its form and check digit are those of a courier',
  pattern: 'It has the form of a courier’s numbers',
  looks: 'It looks like a number',
  entered: 'It was entered',
};
