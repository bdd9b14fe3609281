import type { LeftEntry } from '../board/input/add-input.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import type { GivenFields } from '../scan/text-table.ts';
import { UsageError } from '../settings/errors.ts';
import { type Session, say } from '../settings/session/session.ts';
import { type CourierNames, openCourierCheck } from './courier-lookup.ts';

/** The place is `line 3`, or the argument itself. */
export interface Complaint extends LeftEntry {
  readonly place: string;
  readonly fields: GivenFields;
}

export interface Additions {
  readonly parcels: readonly NewParcel[];
  readonly left: readonly Complaint[];
  readonly places?: ReadonlyMap<NewParcel, string>;
}

export interface GivenParcel {
  /** Such as `line 3`, or the argument itself. */
  readonly place: string;
  readonly reading: NewParcel | LeftEntry;
  readonly fields: GivenFields;
  readonly isStrict?: boolean;
}

/** Checks before any call is paid for. Throws a {@link UsageError}. */
export async function checkCouriers(
  session: Session,
  given: readonly GivenParcel[],
  names: CourierNames,
): Promise<Additions> {
  const codeOf = (reading: GivenParcel['reading']): string | null =>
    'reason' in reading || reading.archivedAt !== undefined ? null : reading.courierCode;
  const codes = given.map(({ reading }) => codeOf(reading));
  const check = await openCourierCheck(session, codes, names);
  const parcels: NewParcel[] = [];
  const left: Complaint[] = [];
  const places = new Map<NewParcel, string>();
  for (const { fields, place, reading, isStrict = false } of given) {
    const code = codeOf(reading);
    const problem = code === null ? null : check(code);
    if (problem !== null && isStrict) throw new UsageError(problem);
    if (problem !== null) left.push({ reason: 'unknown-courier', message: problem, place, fields });
    else if ('reason' in reading) left.push({ ...reading, place, fields });
    else {
      parcels.push(reading);
      places.set(reading, place);
    }
  }
  return { parcels, left, places };
}

export function reportComplaints({ context }: Session, complaints: readonly Complaint[]): void {
  for (const { message, place } of complaints) say(context, `${place}: ${message}`);
}
