import type { LeftEntry } from '../board/input/add-input.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import type { GivenFields } from '../scan/text-table.ts';
import { UsageError } from '../settings/errors.ts';
import { type Session, say } from '../settings/session/session.ts';
import { type CourierNames, openCourierCheck } from './courier-lookup.ts';

/** An entry that was not added, and where it stands: `line 3`, or the argument itself. */
export interface Complaint extends LeftEntry {
  readonly place: string;
  readonly fields: GivenFields;
}

export interface Additions {
  readonly parcels: readonly NewParcel[];
  /** What is wrong with others that were named along with them. */
  readonly left: readonly Complaint[];
  /** Where parcels stand; one that has no place is named by its number. */
  readonly places?: ReadonlyMap<NewParcel, string>;
}

/** A parcel that was read, or what is wrong with what was given for it. */
export interface GivenParcel {
  /** Where it stands: `line 3`, or the argument itself. */
  readonly place: string;
  readonly reading: NewParcel | LeftEntry;
  /** What was given, for those that want to give it again. */
  readonly fields: GivenFields;
  /** Whether a courier that there is not ends the command; otherwise it costs only this parcel. */
  readonly isStrict?: boolean;
}

/** Looks up the couriers of what is to be registered, before any of it costs a call. Rejects with a {@link UsageError}. */
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

/** Reports on standard error what is wrong with each entry that is not added. */
export function reportComplaints({ context }: Session, complaints: readonly Complaint[]): void {
  for (const { message, place } of complaints) say(context, `${place}: ${message}`);
}
