import { counted, foldNumber } from '../../lib/text.ts';
import { knownParcel } from '../../parcels/add-parcels.ts';
import { sameCourier } from '../../parcels/identity.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { FoundNumber } from '../../scan/found-number.ts';
import { usualBatchLimit } from '../../service/port.ts';
import type { CourierCheck } from '../courier-search.ts';
import { checkDigitDoubt } from '../input/number-words.ts';
import type { ScanRow } from './scan-row.ts';

export type RowStanding =
  | 'new'
  | 'watched'
  | 'archived'
  /** The service did not take it before; adding it tries again. */
  | 'rejected'
  | 'twice'
  | 'no-number'
  /** Get Carriers does not list the courier, so that a registration would be lost. */
  | 'unknown-courier';

export interface JudgedRow extends ScanRow {
  readonly standing: RowStanding;
  readonly isTaken: boolean;
  readonly remark: string | null;
  readonly parcel: Parcel | null;
  /** Whether adding it registers it with the service, which an account pays for. */
  readonly isRegistered: boolean;
}

type FindKnown = (row: Pick<ScanRow, 'trackNo' | 'courierCode'>) => Parcel | null;

export function createFindKnown(parcels: readonly Parcel[]): FindKnown {
  const byNumber = Map.groupBy(parcels, ({ trackNo }) => foldNumber(trackNo));
  return (row) => {
    const same = byNumber.get(foldNumber(row.trackNo));
    return same === undefined ? null : (knownParcel(same, row) ?? null);
  };
}

export const canBeTaken = (standing: RowStanding): boolean =>
  standing === 'new' || standing === 'archived' || standing === 'rejected';

/**
 * Says of each row how it stands to the watchlist and whether it is to be added. Where the user has not decided, new
 * numbers are, unless they are doubtful: what only looks like a number, what has a wrong check digit, and what was put
 * away or rejected waits for somebody who chooses it.
 */
export function judgeRows(rows: readonly ScanRow[], find: FindKnown, check: CourierCheck): readonly JudgedRow[] {
  const above = new Map<string, ScanRow[]>();
  return rows.map((row) => {
    const judged = judge(row, find, check);
    const number = foldNumber(row.trackNo);
    const same = above.get(number);
    if (row.flaw === null) {
      if (same === undefined) above.set(number, [row]);
      else same.push(row);
    }
    const isTwice = same?.some((other) => isOneParcel(other, row) && other !== row) ?? false;
    if (!isTwice || judged.flaw !== null || !canBeTaken(judged.standing)) return judged;
    return {
      ...judged,
      standing: 'twice',
      isTaken: false,
      isRegistered: false,
      remark: 'A row above has this number.',
    };
  });
}

const isOneParcel = (a: ScanRow, b: ScanRow): boolean =>
  a.courierCode === null || b.courierCode === null || sameCourier(a.courierCode, b.courierCode);

function judge(row: ScanRow, find: FindKnown, check: CourierCheck): JudgedRow {
  if (row.flaw !== null) return refused(row, 'no-number', row.flaw, null);
  const parcel = find(row);
  const standing = parcel === null ? 'new' : standingOf(parcel);
  if (standing === 'watched') return refused(row, standing, null, parcel);
  const problem = row.courierCode === null ? null : check(row.courierCode);
  if (problem !== null) return refused(row, 'unknown-courier', problem, parcel);
  const remark = remarkOf(row, parcel);
  const isTaken = row.wanted ?? (standing === 'new' && remark === null);
  return { ...row, standing, isTaken, remark, parcel, isRegistered: parcel?.registration !== 'registered' };
}

function refused(row: ScanRow, standing: RowStanding, remark: string | null, parcel: Parcel | null): JudgedRow {
  return { ...row, standing, isTaken: false, remark, parcel, isRegistered: false };
}

function standingOf({ archivedAt, registration }: Parcel): RowStanding {
  if (archivedAt !== null) return 'archived';
  return registration === 'rejected' ? 'rejected' : 'watched';
}

function remarkOf({ certainty, courierCode, doubt, evidence, trackNo }: ScanRow, parcel: Parcel | null): string | null {
  if (parcel?.archivedAt != null) return 'It is in the archive; adding it watches it again.';
  if (parcel?.registration === 'rejected') {
    return rejectedRemark(parcel.error?.message ?? 'it gave no reason');
  }
  const words = checkDigitDoubt(trackNo, courierCode);
  if (words !== null) return words;
  if (doubt === 'check-digit') return `${trackNo} has a wrong check digit: compare it with what the sender wrote.`;
  if (doubt !== null) return `${doubtWords[doubt]}: compare it with what the sender wrote.`;
  return certainty === 'doubtful' ? evidenceDoubts[evidence] : null;
}

/** A reason that is a sentence of ours says what to do already. */
const rejectedRemark = (reason: string): string =>
  /\.$/.test(reason) && reason.includes(' --courier ')
    ? `It was rejected. ${reason}`
    : `The service rejected it: ${reason.replace(/\.$/, '')}. Another courier may help.`;

const doubtWords = {
  'unknown-form': 'It stands where numbers stand, and has the form of none that is known',
  hidden: 'It stands where a reader does not see it',
};

const evidenceDoubts: Readonly<Record<FoundNumber['evidence'], string>> = {
  'parcel-delivery': 'The text speaks of something else.',
  link: 'The text speaks of something else.',
  'check-digit': 'Its check digit may be right by chance: what stands beside it does not say that it is one.',
  pattern: 'Only its form says that it is one, and others have that form, too.',
  looks: 'It only looks like a number: nothing says that it is one.',
  entered: 'Nothing says that it is one.',
};

export interface ScanCost {
  readonly numbers: number;
  /** Those of them that are registered, which an account pays for. */
  readonly registrations: number;
  readonly calls: number;
}

/** What adding the rows costs that are taken; each number is registered and queried in batches. */
export function scanCost(rows: readonly JudgedRow[]): ScanCost {
  const taken = rows.filter(({ isTaken }) => isTaken);
  const registrations = taken.filter(({ isRegistered }) => isRegistered).length;
  return { numbers: taken.length, registrations, calls: batches(registrations) + batches(taken.length) };
}

const batches = (count: number): number => Math.ceil(count / usualBatchLimit);

export function scanCostWords({ calls, registrations }: ScanCost, left: number | null): string {
  const cost = `${counted(registrations, 'registration')} and ${counted(calls, 'call')}`;
  if (left === null) return cost;
  if (registrations > left) return `${cost}; your budget has ${left} left this month, so ${registrations - left} wait`;
  return `${cost}; your budget has ${left} left this month`;
}
