import { counted, foldNumber } from '../../lib/text.ts';
import { sameCourier } from '../../parcels/identity.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { knownParcel } from '../../parcels/parcel-list.ts';
import type { CallCost } from '../../polling/gate/call-rules.ts';
import type { FoundNumber } from '../../scan/found-number.ts';
import { defaultBatchLimit } from '../../service/port.ts';
import type { CourierCheck } from '../courier-search.ts';
import { checkDigitWarning } from '../input/add-input.ts';
import type { ScanRow } from './scan-row.ts';

type RowState =
  | 'new'
  | 'watched'
  | 'archived'
  /** Rejected by the service before. Adding it again retries the registration. */
  | 'rejected'
  | 'twice'
  | 'no-number'
  /** The service does not list the courier, so a registration would fail. */
  | 'unknown-courier';

export interface JudgedRow extends ScanRow {
  readonly state: RowState;
  readonly isSelected: boolean;
  readonly remark: string | null;
  readonly parcel: Parcel | null;
}

type ParcelFinder = (row: Pick<ScanRow, 'trackNo' | 'courierCode'>) => Parcel | null;

export function createParcelFinder(parcels: readonly Parcel[]): ParcelFinder {
  const byNumber = Map.groupBy(parcels, ({ trackNo }) => foldNumber(trackNo));
  return (row) => knownParcel(byNumber.get(foldNumber(row.trackNo)) ?? [], row) ?? null;
}

export const canBeSelected = (state: RowState): boolean =>
  state === 'new' || state === 'archived' || state === 'rejected';

/** Whether adding the row costs a registration. */
export const needsRegistration = ({ parcel }: Pick<JudgedRow, 'parcel'>): boolean =>
  parcel?.registration !== 'registered';

/** Determines each row's state. Selects new numbers without remarks, unless the user decided otherwise. */
export function judgeRows(rows: readonly ScanRow[], find: ParcelFinder, check: CourierCheck): readonly JudgedRow[] {
  const rowsByNumber = new Map<string, ScanRow[]>();
  return rows.map((row) => {
    const number = foldNumber(row.trackNo);
    const rowsAbove = rowsByNumber.get(number) ?? [];
    if (row.problem === null) rowsByNumber.set(number, [...rowsAbove, row]);
    const judged = judge(row, find, check);
    const isDuplicate = canBeSelected(judged.state) && rowsAbove.some((other) => mayBeSameParcel(other, row));
    return isDuplicate
      ? { ...judged, state: 'twice', isSelected: false, remark: 'This number is already in a row above.' }
      : judged;
  });
}

const mayBeSameParcel = (a: ScanRow, b: ScanRow): boolean =>
  a.courierCode === null || b.courierCode === null || sameCourier(a.courierCode, b.courierCode);

function judge(row: ScanRow, find: ParcelFinder, check: CourierCheck): JudgedRow {
  const parcel = row.problem === null ? find(row) : null;
  const base = { ...row, isSelected: false, parcel };
  if (row.problem !== null) return { ...base, state: 'no-number', remark: row.problem };
  const state = parcel === null ? 'new' : knownParcelState(parcel);
  if (state === 'watched') return { ...base, state, remark: null };
  const problem = row.courierCode === null ? null : check(row.courierCode);
  if (problem !== null) return { ...base, state: 'unknown-courier', remark: problem };
  const remark = rowRemark(row, parcel);
  return { ...row, state, isSelected: row.choice ?? (state === 'new' && remark === null), remark, parcel };
}

function knownParcelState({ archivedAt, registration }: Parcel): RowState {
  if (archivedAt !== null) return 'archived';
  return registration === 'rejected' ? 'rejected' : 'watched';
}

function rowRemark(
  { certainty, courierCode, issue, evidence, trackNo }: ScanRow,
  parcel: Parcel | null,
): string | null {
  if (parcel?.archivedAt != null) return 'This parcel is archived. Add it to restore it.';
  if (parcel?.registration === 'rejected') return rejectedRemark(parcel.error?.message ?? 'no reason given');
  const warning = checkDigitWarning(trackNo, courierCode);
  if (warning !== null) return warning;
  if (issue === 'check-digit') return `${trackNo} has a wrong check digit. Compare it with the sender's message.`;
  if (issue !== null) return `${issueTexts[issue]}. Compare it with the sender's message.`;
  return certainty === 'doubtful' ? evidenceDoubts[evidence] : null;
}

/** Adds no advice to our own reasons, because they already include it. */
const rejectedRemark = (reason: string): string =>
  /\.$/.test(reason) && reason.includes(' --courier ')
    ? `The number was rejected. ${reason}`
    : `The service rejected the number: ${reason.replace(/\.$/, '')}. Try a different courier.`;

const issueTexts = {
  'unknown-form': 'A tracking number belongs here, but this matches no known format',
  hidden: 'It is in a hidden part of the text',
};

const evidenceDoubts: Readonly<Record<FoundNumber['evidence'], string>> = {
  'parcel-delivery': 'The text calls it something else, such as an invoice or a phone number.',
  link: 'The text calls it something else, such as an invoice or a phone number.',
  'check-digit': 'The check digit may match by chance: nothing nearby mentions tracking.',
  pattern: 'Only its format suggests a tracking number, and other numbers have that format too.',
  looks: 'It only looks like a tracking number: nothing nearby mentions tracking.',
  entered: 'Nothing suggests that it is a tracking number.',
};

/** Returns the cost of adding the selected rows. */
export function scanCost(rows: readonly JudgedRow[]): CallCost {
  const selected = rows.filter(({ isSelected }) => isSelected);
  const registrations = selected.filter(needsRegistration).length;
  return { numbers: selected.length, registrations, calls: batches(registrations) + batches(selected.length) };
}

const batches = (count: number): number => Math.ceil(count / defaultBatchLimit);

export function scanCostText({ calls, registrations }: CallCost, registrationsLeft: number | null): string {
  const cost = `${counted(registrations, 'registration')} and ${counted(calls, 'call')}`;
  if (registrationsLeft === null) return cost;
  if (registrations > registrationsLeft)
    return `${cost}; your budget has ${registrationsLeft} left this month, so ${registrations - registrationsLeft} must wait`;
  return `${cost}; your budget has ${registrationsLeft} left this month`;
}
