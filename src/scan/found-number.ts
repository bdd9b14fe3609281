import type { Courier } from '../service/port.ts';

/**
 * Strongest first: a schema.org `ParcelDelivery`, a link to a tracking page, a courier's format with a correct check
 * digit, a courier's format without one, text that looks like a number, and a number that the user entered.
 */
const evidences = ['parcel-delivery', 'link', 'check-digit', 'pattern', 'looks', 'entered'] as const;
export type Evidence = (typeof evidences)[number];

/** `likely` numbers are added unless the user deselects them, and `doubtful` ones only if the user selects them. */
const certainties = ['sure', 'likely', 'doubtful'] as const;
export type Certainty = (typeof certainties)[number];

export interface ScanCandidate {
  /** Null if the service does not list the courier. */
  readonly courierCode: string | null;
  readonly name: string;
}

export interface ScanPlace {
  /** Number of the email in an mbox, counted from 1. */
  readonly message: number | null;
  readonly subject: string | null;
  /** Part of an email, such as `text`, `HTML` or the cleaned name of an attachment. */
  readonly part: string | null;
  /** Line in the source of the text or part, counted from 1. */
  readonly line: number | null;
}

export interface FoundNumber {
  readonly trackNo: string;
  readonly certainty: Certainty;
  readonly evidence: Evidence;
  /** `unknown-form`: in the place of a number, but in no known format. `hidden`: invisible on the page. */
  readonly issue: 'check-digit' | 'unknown-form' | 'hidden' | null;
  /** The courier that the text names. Never derived from the number's format alone. */
  readonly courierCode: string | null;
  readonly candidates: readonly ScanCandidate[];
  readonly label: string | null;
  readonly orderNo: string | null;
  /** In order of appearance, at most {@link maxPlaces}. */
  readonly places: readonly ScanPlace[];
}

export type ScanFormat = 'text' | 'html' | 'mail' | 'mailbox';

/** A part of the text that could not be read. */
export interface ScanProblem {
  readonly place: ScanPlace;
  /** A sentence. */
  readonly message: string;
  /** Set if the numbers were found nevertheless. */
  readonly isHint?: true;
}

export interface Scan {
  readonly format: ScanFormat;
  readonly numbers: readonly FoundNumber[];
  readonly problems: readonly ScanProblem[];
  /** How many more numbers were found after {@link maxNumbers}. */
  readonly leftOut: number;
}

export interface ScanOptions {
  /** The couriers from Get Carriers. If absent, couriers have their usual codes. */
  readonly couriers?: readonly Courier[];
  readonly signal?: AbortSignal;
  /** Called with the share of the text that was searched so far, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

const maxPlaces = 8;
export const maxNumbers = 20_000;

export const plainNumber = {
  issue: null,
  courierCode: null,
  candidates: [],
  label: null,
  orderNo: null,
  places: [],
} as const satisfies Partial<FoundNumber>;

/** Merges two finds of the same number. Keeps the stronger evidence and the higher certainty. */
export function mergeNumbers(previous: FoundNumber, next: FoundNumber): FoundNumber {
  const isStronger = evidences.indexOf(next.evidence) < evidences.indexOf(previous.evidence);
  const [first, second] = isStronger ? [next, previous] : [previous, next];
  const courierFirst = first.courierCode === null && second.courierCode !== null ? [second, first] : [first, second];
  const [place] = next.places;
  const isKnown = previous.places.some(
    ({ line, message, part }) => line === place?.line && message === place.message && part === place.part,
  );
  return {
    ...first,
    certainty:
      certainties.find((certainty) => certainty === previous.certainty || certainty === next.certainty) ??
      first.certainty,
    issue: second.issue === null ? null : first.issue,
    courierCode: first.courierCode ?? second.courierCode,
    candidates: uniqueCandidates(courierFirst.flatMap(({ candidates }) => candidates)),
    label: first.label ?? second.label,
    orderNo: previous.orderNo ?? next.orderNo,
    places: isKnown || previous.places.length >= maxPlaces ? previous.places : [...previous.places, ...next.places],
  };
}

export const uniqueCandidates = (candidates: readonly ScanCandidate[]): readonly ScanCandidate[] => [
  ...new Map(candidates.map((candidate) => [candidate.courierCode ?? candidate.name, candidate])).values(),
];
