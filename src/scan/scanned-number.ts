import type { Courier } from '../service/record.ts';

/**
 * Why a text was taken for a number, strongest first: the sender said so to machines (schema.org `ParcelDelivery`); a
 * link to a courier's tracking page holds it; a courier's pattern with a check digit that is right; a courier's pattern
 * that has none; it looks like a number.
 */
export type ScanEvidence = 'parcel-delivery' | 'link' | 'check-digit' | 'pattern' | 'looks';

/**
 * How far a number can be relied on: `sure`; `likely`, which is worth adding after a look at the list; `doubtful`, which
 * is shown, and added only by somebody who chooses it.
 */
export type ScanTrust = 'sure' | 'likely' | 'doubtful';

/**
 * Why a number is doubtful whatever its form: it stands where only numbers stand (in the column for them, or in a link to a tracking page),
 * and looks like none that is known; or a reader of the page does not see it.
 */
export type ScanDoubt = 'unknown-form' | 'hidden';

/** A courier that a number may be of. */
export interface ScanCandidate {
  /** As the service calls it; null when the service does not list this courier, so that it has to find one itself. */
  readonly courierCode: string | null;
  /** English, as the service writes it where it lists the courier. */
  readonly name: string;
}

/** One place where a number stands. */
export interface ScanPlace {
  /** The message of a mailbox, from 1; null when there is but one text. */
  readonly message: number | null;
  /** The subject of the mail, cleaned; null when there is none. */
  readonly subject: string | null;
  /** The part of a mail: `text`, `HTML`, or the name of an attachment, cleaned; null outside of mails. */
  readonly part: string | null;
  /** From 1, in the text or in that part as it was before its HTML was read; null where lines mean nothing. */
  readonly line: number | null;
}

/** A number that was found. */
export interface ScannedNumber {
  /** In the form in which numbers are kept. */
  readonly trackNo: string;
  readonly evidence: ScanEvidence;
  readonly trust: ScanTrust;
  /**
   * The courier that the text itself names (in its data for machines, in a link, or as `@code` behind the number), as the
   * service calls it; null when it names none. The shape of a number never decides this.
   */
  readonly courierCode: string | null;
  /** Couriers that fit, likeliest first, including the named one; empty when none is known. */
  readonly candidates: readonly ScanCandidate[];
  /** What is in the parcel, as the sender said to machines or the text says in quotes behind the number; null when nothing is said. */
  readonly label: string | null;
  /** The order of the shop, as a column of a table says; null when none does. */
  readonly orderNo: string | null;
  /**
   * The format that it would have with another check digit, in English, such as `DHL Paket`; null where it has the right one, or
   * none that is known.
   */
  readonly mistypedFor: string | null;
  /** Why it is doubtful where its form does not say that; absent where nothing is to be said. */
  readonly doubt?: ScanDoubt;
  /** Where it stands, first place first; no more than {@link mostPlaces} of them. */
  readonly places: readonly [ScanPlace, ...ScanPlace[]];
}

/** What a text was read as. */
export type ScanFormat = 'text' | 'html' | 'mail' | 'mailbox';

/** A part of the text that could not be read, as a sentence; the rest was. */
export interface ScanProblem {
  readonly place: ScanPlace;
  readonly message: string;
  /** Present where no number is lost by it. */
  readonly isHint?: true;
}

/** What was found in a text. */
export interface Scan {
  readonly format: ScanFormat;
  /** In the order in which they stand in the text, each number once. */
  readonly numbers: readonly ScannedNumber[];
  /** Parts that could not be read. */
  readonly problems: readonly ScanProblem[];
  /** How many more different numbers there are than {@link mostNumbers}; they are left out. */
  readonly leftOut: number;
}

/** What a scan knows besides the text. */
export interface ScanOptions {
  /** The list of Get Carriers, to call couriers as the service does; absent or empty: the codes that are usual there. */
  readonly couriers?: readonly Courier[];
  /** Ends the scan: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called now and then with how much of a long text was searched, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** Most places that are kept of one number. */
export const mostPlaces = 8;

/** Most different numbers that a scan answers. */
export const mostNumbers = 20_000;

/** A number that was found, wherever it stands. */
export interface PlacelessFinding {
  /** In the form in which numbers are kept. */
  readonly trackNo: string;
  readonly evidence: ScanEvidence;
  readonly trust: ScanTrust;
  /** Key of the courier that the text names; null when it names none. */
  readonly courier: string | null;
  /** Keys of couriers that fit, likeliest first. */
  readonly fitting: readonly string[];
  readonly label: string | null;
  /** Of the shop, as a column of a table says; null when none does. */
  readonly orderNo: string | null;
  /** The format whose check digit the number has not, by its name; null where that is not what is wrong with it. */
  readonly mistypedFor: string | null;
  /** Absent where nothing is to be said. */
  readonly doubt?: ScanDoubt;
}

/** A number at one place of the text, before the same number at other places is put with it. */
export interface Finding extends PlacelessFinding {
  readonly place: ScanPlace;
}

/** Where a line of text stands. */
export type LinePlace = Omit<ScanPlace, 'line'>;
