import { cleanTextOrNull } from '../../lib/clean-text.ts';
import { createIsFirst } from '../../lib/collections.ts';
import { isCourierCode, normaliseTrackNo } from '../../lib/track-number.ts';
import { identityKey } from '../../parcels/identity.ts';
import type { NewParcel } from '../../parcels/parcel-factory.ts';
import { confirmThreshold } from '../../polling/gate/call-rules.ts';
import type { Scan, ScannedNumber } from '../../scan/scanned-number.ts';
import { type CourierReader, courierReader } from '../courier-search.ts';
import type { TextEntry } from '../input/entered-text.ts';

/** A number that a text holds: found in it, or entered as a line of its own. */
export interface FoundNumber extends Omit<ScannedNumber, 'evidence'> {
  readonly evidence: ScannedNumber['evidence'] | 'entered';
}

/** A number as it is offered before it is added, with what the user has made of it. */
export interface ScanRow {
  /** Stays the same while the list is open. */
  readonly key: number;
  readonly found: FoundNumber;
  /** What the text has where the user has put another number in its place; null where nobody has. */
  readonly original: FoundNumber | null;
  /** In the form in which numbers are kept; what is no number stands here as it was entered. */
  readonly trackNo: string;
  /** Why that is no number, as a sentence for the user; null when it is one. */
  readonly flaw: string | null;
  /** Null lets the service find the courier. */
  readonly courierCode: string | null;
  readonly label: string | null;
  /** Whether the user wants it added; null while the program decides. */
  readonly wanted: boolean | null;
}

const rowOf = (found: FoundNumber, key: number, flaw: string | null = null): ScanRow => {
  const { courierCode, label, trackNo } = found;
  return { key, found, original: null, trackNo, flaw, courierCode, label, wanted: null };
};

/** The rows of what was found in a text. */
export const rowsOfScan = ({ numbers }: Pick<Scan, 'numbers'>): readonly ScanRow[] =>
  numbers.map((found, key) => rowOf(found, key));

/** What is known of a number that somebody has entered. */
const entered = {
  evidence: 'entered',
  trust: 'likely',
  courierCode: null,
  candidates: [],
  mistypedFor: null,
} as const satisfies Partial<FoundNumber>;

/** The rows of lines that hold numbers and little else, each number once; an entry that is none has a row that says why. */
export function rowsOfEntries(
  entries: readonly TextEntry[],
  read: CourierReader = courierReader(null),
): readonly ScanRow[] {
  const isFirst = createIsFirst();
  const coded = entries.map((entry) => withCode(entry, read));
  const shown = coded.filter(({ input }) => input.kind !== 'ok' || isFirst(identityKey(input)));
  return shown.map(({ input, line, text }, key): ScanRow => {
    const { courierCode, label, trackNo } =
      input.kind === 'ok' ? input : { courierCode: null, label: null, trackNo: text };
    const places = [{ message: null, subject: null, part: null, line }] as const;
    const found: FoundNumber = { ...entered, trackNo, courierCode, label, orderNo: null, places };
    return rowOf(found, key, input.kind === 'ok' ? null : input.message);
  });
}

/** Whether an entry names a courier otherwise than by a code. */
export const namesCourier = ({ input }: TextEntry): boolean =>
  input.kind === 'ok' && input.courierCode !== null && !isCourierCode(input.courierCode);

/** An entry with the code of a courier that it names otherwise. */
function withCode(entry: TextEntry, read: CourierReader): TextEntry {
  const { input } = entry;
  if (input.kind !== 'ok' || input.courierCode === null || !namesCourier(entry)) return entry;
  const reading = read(input.courierCode);
  if (reading.ok) return { ...entry, input: { ...input, courierCode: reading.code } };
  return { ...entry, input: { kind: 'problem', flaw: 'courier', message: reading.problem, at: 0 } };
}

/** Rows behind others, with keys of their own. */
export const rowsBehind = (rows: readonly ScanRow[], more: readonly ScanRow[]): readonly ScanRow[] => [
  ...rows,
  ...more.map((row, index) => ({ ...row, key: rows.length + index })),
];

/**
 * The row with another number, of which nothing is known that was known of the one before: the program decides anew whether
 * it is to be added. A courier that the user chose stays. With a text that is no number it says why.
 */
export function withNumber(row: ScanRow, text: string): ScanRow {
  const check = normaliseTrackNo(text);
  const original = row.original ?? row.found;
  if (!check.ok) return { ...row, trackNo: text.trim(), flaw: check.message };
  const { trackNo } = check;
  if (trackNo === row.trackNo) return { ...row, flaw: null };
  const isBack = trackNo === original.trackNo;
  const { doubt: _, ...known } = original;
  const found: FoundNumber = isBack ? original : { ...known, ...entered, trackNo };
  const courierCode = row.courierCode === row.found.courierCode ? found.courierCode : row.courierCode;
  return { ...row, found, original: isBack ? null : original, trackNo, flaw: null, courierCode, wanted: null };
}

/** The row with what the form of its number tells, once somebody has put that number there. */
export function withForm(row: ScanRow, { numbers }: Pick<Scan, 'numbers'>): ScanRow {
  const known = numbers.find(({ trackNo }) => trackNo === row.trackNo);
  if (row.original === null || known === undefined) return row;
  const { candidates, evidence, mistypedFor } = known;
  return {
    ...row,
    found: { ...row.found, candidates, mistypedFor, evidence: evidence === 'looks' ? 'entered' : evidence },
  };
}

/** The row with another label; white space alone takes it away. */
export const withLabel = (row: ScanRow, text: string): ScanRow => ({ ...row, label: cleanTextOrNull(text) });

/** The row under another courier, and wanted; with null the service is to find it. */
export const withCourier = (row: ScanRow, courierCode: string | null): ScanRow => ({
  ...row,
  courierCode,
  wanted: true,
});

/** The rows with one of them changed. */
export const changeRow = (
  rows: readonly ScanRow[],
  key: number,
  change: (row: ScanRow) => ScanRow,
): readonly ScanRow[] => rows.map((row) => (row.key === key ? change(row) : row));

/** What is added for a row. */
export const parcelOfRow = ({ courierCode, found, label, trackNo }: ScanRow): NewParcel => ({
  trackNo,
  courierCode,
  label,
  postalCode: null,
  phoneSuffix: null,
  ...(found.orderNo === null ? {} : { merchant: { orderNo: found.orderNo } }),
});

/**
 * What is done with a pasted text: `bar` puts it into the input bar, as few plain numbers or a line of words are; `rows` shows its
 * entries before any is added, since they are many; `scan` looks for numbers in it, since it is more than numbers.
 */
type PastedTextKind = 'bar' | 'rows' | 'scan';

/** Fewer digits than this make no number. */
const fewestDigits = 5;

/**
 * Tells what a pasted text is by what it would be if it were entered.
 * @param isListOpen whether the list of found numbers is open, behind which nothing goes to the bar
 */
export function pastedTextKind(text: string, entries: readonly TextEntry[], isListOpen = false): PastedTextKind {
  if (entries.every(({ input }) => input.kind === 'ok')) {
    return isListOpen || entries.length > confirmThreshold.board ? 'rows' : 'bar';
  }
  const digits = text.match(/\d/g)?.length ?? 0;
  return !isListOpen && digits < fewestDigits && !text.includes('\n') ? 'bar' : 'scan';
}
