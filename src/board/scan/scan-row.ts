import { cleanTextOrNull } from '../../lib/clean-text.ts';
import { isCourierCode, normaliseTrackNo } from '../../lib/track-number.ts';
import { createIsFirst, identityKey } from '../../parcels/identity.ts';
import type { NewParcel } from '../../parcels/parcel-factory.ts';
import { type FoundNumber, plainNumber, type Scan } from '../../scan/found-number.ts';
import { type CourierResolver, createCourierResolver } from '../courier-search.ts';
import type { TextEntry } from '../input/entered-text.ts';

export interface ScanRow extends FoundNumber {
  readonly key: number;
  /** As found in the text, before any edit. */
  readonly original: FoundNumber;
  /** Why `trackNo` is invalid, as a sentence, or null. */
  readonly problem: string | null;
  /** Whether the user wants to add the number, or null if they have not decided. */
  readonly choice: boolean | null;
}

const createRow = (found: FoundNumber, key: number, problem: string | null = null): ScanRow => {
  return { ...found, key, original: found, problem, choice: null };
};

/** Whether the user changed the number that was found. */
export const isReplaced = ({ original, trackNo }: ScanRow): boolean => trackNo !== original.trackNo;

export const rowsFromScan = ({ numbers }: Pick<Scan, 'numbers'>): readonly ScanRow[] =>
  numbers.map((found, key) => createRow(found, key));

const enteredDefaults = {
  evidence: 'entered',
  certainty: 'likely',
  issue: null,
  courierCode: null,
  candidates: [],
} as const;

/** Returns one row per number. The problem of a row for an invalid entry says why the entry is invalid. */
export function rowsFromEntries(
  entries: readonly TextEntry[],
  resolve: CourierResolver = createCourierResolver(null),
): readonly ScanRow[] {
  const isFirst = createIsFirst();
  const resolved = entries.map((entry) => resolveCourier(entry, resolve));
  const uniqueEntries = resolved.filter(({ input }) => input.kind !== 'ok' || isFirst(identityKey(input)));
  return uniqueEntries.map(({ input, line, text }, key): ScanRow => {
    const { courierCode, label, trackNo } =
      input.kind === 'ok' ? input : { courierCode: null, label: null, trackNo: text };
    const places = [{ message: null, subject: null, part: null, line }];
    const number = { ...plainNumber, ...enteredDefaults, trackNo, courierCode, label, places };
    return createRow(number, key, input.kind === 'ok' ? null : input.message);
  });
}

export const hasCourierName = ({ input }: TextEntry): boolean =>
  input.kind === 'ok' && input.courierCode !== null && !isCourierCode(input.courierCode);

function resolveCourier(entry: TextEntry, resolve: CourierResolver): TextEntry {
  const { input } = entry;
  if (input.kind !== 'ok' || input.courierCode === null || !hasCourierName(entry)) return entry;
  const resolution = resolve(input.courierCode);
  if (resolution.ok) return { ...entry, input: { ...input, courierCode: resolution.code } };
  return { ...entry, input: { kind: 'problem', reason: 'courier', message: resolution.problem, at: 0 } };
}

export const appendRows = (rows: readonly ScanRow[], more: readonly ScanRow[]): readonly ScanRow[] => [
  ...rows,
  ...more.map((row, index) => ({ ...row, key: rows.length + index })),
];

/** Changes the number and resets what was known about the previous one, except a courier that the user chose. */
export function withNumber(row: ScanRow, text: string): ScanRow {
  const check = normaliseTrackNo(text);
  const { original } = row;
  if (!check.ok) return { ...row, trackNo: text.trim(), problem: check.message };
  const { trackNo } = check;
  if (trackNo === row.trackNo) return { ...row, problem: null };
  const { candidates, certainty, courierCode, issue, evidence } =
    trackNo === original.trackNo ? original : enteredDefaults;
  const isChosen = row.courierCode !== (isReplaced(row) ? null : original.courierCode);
  return {
    ...row,
    ...{ trackNo, candidates, certainty, issue, evidence },
    courierCode: isChosen ? row.courierCode : courierCode,
    problem: null,
    choice: null,
  };
}

/** Applies the result of scanning the changed number. */
export function withScanResult(row: ScanRow, { numbers }: Pick<Scan, 'numbers'>): ScanRow {
  const match = numbers.find(({ trackNo }) => trackNo === row.trackNo);
  if (!isReplaced(row) || match === undefined) return row;
  const { candidates, issue, evidence } = match;
  return { ...row, candidates, issue, evidence: evidence === 'looks' ? 'entered' : evidence };
}

export const withLabel = (row: ScanRow, text: string): ScanRow => ({ ...row, label: cleanTextOrNull(text) });

export const withCourier = (row: ScanRow, courierCode: string | null): ScanRow => {
  return { ...row, courierCode, choice: true };
};

export const parcelFromRow = ({ courierCode, label, orderNo, trackNo }: ScanRow): NewParcel => ({
  trackNo,
  courierCode,
  label,
  postalCode: null,
  phoneSuffix: null,
  ...(orderNo === null ? {} : { merchant: { orderNo } }),
});
