import { counted, foldNumber } from '../../lib/text.ts';
import { type Parcel, sameCourier } from '../../parcels/parcel.ts';
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
  /** Rejected by the service before. Adding it tries again. */
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

type FindKnown = (row: Pick<ScanRow, 'trackNo' | 'courierCode'>) => Parcel | null;

export function createFindKnown(parcels: readonly Parcel[]): FindKnown {
  const byNumber = Map.groupBy(parcels, ({ trackNo }) => foldNumber(trackNo));
  return (row) => knownParcel(byNumber.get(foldNumber(row.trackNo)) ?? [], row) ?? null;
}

export const canBeSelected = (state: RowState): boolean =>
  state === 'new' || state === 'archived' || state === 'rejected';

/** Whether adding the row costs a registration. */
export const isToRegister = ({ parcel }: Pick<JudgedRow, 'parcel'>): boolean => parcel?.registration !== 'registered';

/** Determines each row's state, and selects new numbers that are not doubtful unless the user has decided. */
export function judgeRows(rows: readonly ScanRow[], find: FindKnown, check: CourierCheck): readonly JudgedRow[] {
  const above = new Map<string, ScanRow[]>();
  return rows.map((row) => {
    const number = foldNumber(row.trackNo);
    const same = above.get(number) ?? [];
    if (row.problem === null) above.set(number, [...same, row]);
    const judged = judge(row, find, check);
    const isTwice = canBeSelected(judged.state) && same.some((other) => isOneParcel(other, row));
    return isTwice
      ? { ...judged, state: 'twice', isSelected: false, remark: 'This number is already in a row above.' }
      : judged;
  });
}

const isOneParcel = (a: ScanRow, b: ScanRow): boolean =>
  a.courierCode === null || b.courierCode === null || sameCourier(a.courierCode, b.courierCode);

function judge(row: ScanRow, find: FindKnown, check: CourierCheck): JudgedRow {
  const parcel = row.problem === null ? find(row) : null;
  const refused = { ...row, isSelected: false, parcel };
  if (row.problem !== null) return { ...refused, state: 'no-number', remark: row.problem };
  const state = parcel === null ? 'new' : parcelStateOf(parcel);
  if (state === 'watched') return { ...refused, state, remark: null };
  const problem = row.courierCode === null ? null : check(row.courierCode);
  if (problem !== null) return { ...refused, state: 'unknown-courier', remark: problem };
  const remark = remarkOf(row, parcel);
  return { ...row, state, isSelected: row.choice ?? (state === 'new' && remark === null), remark, parcel };
}

function parcelStateOf({ archivedAt, registration }: Parcel): RowState {
  if (archivedAt !== null) return 'archived';
  return registration === 'rejected' ? 'rejected' : 'watched';
}

function remarkOf({ certainty, courierCode, issue, evidence, trackNo }: ScanRow, parcel: Parcel | null): string | null {
  if (parcel?.archivedAt != null) return 'This parcel is archived. Add it to restore it.';
  if (parcel?.registration === 'rejected') return rejectedRemark(parcel.error?.message ?? 'no reason given');
  const words = checkDigitWarning(trackNo, courierCode);
  if (words !== null) return words;
  if (issue === 'check-digit') return `${trackNo} has a wrong check digit. Compare it with the sender's message.`;
  if (issue !== null) return `${issueTexts[issue]}. Compare it with the sender's message.`;
  return certainty === 'doubtful' ? evidenceDoubts[evidence] : null;
}

/** Does not add advice to our own reasons, because they include it. */
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
  const registrations = selected.filter(isToRegister).length;
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
