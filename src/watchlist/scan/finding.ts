import type { ScanDoubt, ScanEvidence, ScanPlace, ScanTrust } from './scanned-number.ts';

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
