import type { Courier } from '../service/record.ts';

/**
 * Why a text was taken for a number, strongest first: the sender said so to machines (schema.org `ParcelDelivery`); a
 * link to a courier's tracking page holds it; a courier's pattern with a check digit that is right; a courier's pattern
 * that has none; it looks like a number; the user has entered it.
 */
const evidences = ['parcel-delivery', 'link', 'check-digit', 'pattern', 'looks', 'entered'] as const;
export type Evidence = (typeof evidences)[number];

/**
 * How far a number can be relied on: `sure`; `likely`, which is worth adding after a look at the list; `doubtful`, which
 * is added only by a user who chooses it.
 */
const certainties = ['sure', 'likely', 'doubtful'] as const;
export type Certainty = (typeof certainties)[number];

export interface ScanCandidate {
  /** As the service calls it; null when the service does not list this courier, so that it has to find one itself. */
  readonly courierCode: string | null;
  /** English, as the service writes it where it lists the courier. */
  readonly name: string;
}

export interface ScanPlace {
  /** The mail of a mailbox, from 1; null outside of mailboxes. */
  readonly message: number | null;
  /** The subject of the mail, cleaned; null when there is none. */
  readonly subject: string | null;
  /** The part of a mail: `text`, `HTML`, or the name of an attachment, cleaned; null outside of mails. */
  readonly part: string | null;
  /** From 1, in the text or in that part as it was before its HTML was read; null where lines mean nothing. */
  readonly line: number | null;
}

export interface FoundNumber {
  readonly trackNo: string;
  readonly certainty: Certainty;
  readonly evidence: Evidence;
  /**
   * Why it is doubtful where its evidence does not say that: its check digit is wrong; it is where only numbers are (in the
   * column for them, or in a link to a tracking page) and looks like none that is known; a reader of the page does not see it.
   */
  readonly doubt: 'check-digit' | 'unknown-form' | 'hidden' | null;
  /** The courier that the text itself names, as the service calls it. The shape of a number never decides this. */
  readonly courierCode: string | null;
  readonly candidates: readonly ScanCandidate[];
  /** What is in the parcel, as the text says; null when it says nothing. */
  readonly label: string | null;
  readonly orderNo: string | null;
  /** Where it was found, first place first; no more than {@link mostPlaces}. */
  readonly places: readonly ScanPlace[];
}

export type ScanFormat = 'text' | 'html' | 'mail' | 'mailbox';

/** A part of the text that could not be read, as a sentence; the rest was. */
export interface ScanProblem {
  readonly place: ScanPlace;
  readonly message: string;
  /** Present where no number is lost by it. */
  readonly isHint?: true;
}

export interface Scan {
  readonly format: ScanFormat;
  readonly numbers: readonly FoundNumber[];
  readonly problems: readonly ScanProblem[];
  readonly leftOut: number;
}

export interface ScanOptions {
  /** The list of Get Carriers, to call couriers as the service does; absent or empty: the codes that are usual there. */
  readonly couriers?: readonly Courier[];
  readonly signal?: AbortSignal;
  /** Called now and then with how much of a long text was searched, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

export const mostPlaces = 8;
export const mostNumbers = 20_000;

export const plainNumber = {
  doubt: null,
  courierCode: null,
  candidates: [],
  label: null,
  orderNo: null,
  places: [],
} as const satisfies Partial<FoundNumber>;

/** The same number found at two places: the stronger evidence and the higher certainty count. */
export function mergeNumbers(before: FoundNumber, next: FoundNumber): FoundNumber {
  const isStronger = evidences.indexOf(next.evidence) < evidences.indexOf(before.evidence);
  const [first, second] = isStronger ? [next, before] : [before, next];
  const named = first.courierCode === null && second.courierCode !== null ? [second, first] : [first, second];
  const [place] = next.places;
  const isKnown = before.places.some(
    ({ line, message, part }) => line === place?.line && message === place.message && part === place.part,
  );
  return {
    ...first,
    certainty: certainties.find((one) => one === before.certainty || one === next.certainty) ?? first.certainty,
    doubt: second.doubt === null ? null : first.doubt,
    courierCode: first.courierCode ?? second.courierCode,
    candidates: eachOnce(named.flatMap(({ candidates }) => candidates)),
    label: first.label ?? second.label,
    orderNo: before.orderNo ?? next.orderNo,
    places: isKnown || before.places.length >= mostPlaces ? before.places : [...before.places, ...next.places],
  };
}

export const eachOnce = (candidates: readonly ScanCandidate[]): readonly ScanCandidate[] =>
  candidates.length < 2
    ? candidates
    : [...new Map(candidates.map((one) => [one.courierCode ?? one.name, one])).values()];
