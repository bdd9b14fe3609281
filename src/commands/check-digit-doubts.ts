import { checkDigitDoubt } from '../board/input/number-words.ts';
import { createFindKnown } from '../board/scan/judge-rows.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import { askWhether, canAsk } from '../settings/session/context.ts';
import { type Session, say } from '../settings/session/session.ts';
import { fieldsOfParcel } from './output-file.ts';
import type { Additions, Complaint } from './parsed-entries.ts';

/** More warnings than this are counted, not printed one by one. */
const mostWarnings = 5;

/**
 * Asks at a terminal about numbers that are mistyped more often than not, before they cost: their form is that of one courier
 * but for the check digit. Of a number that another courier may have it is only said, and so it is where no question can be
 * asked: a script adds what it names. What is watched already or goes into the archive costs nothing.
 */
export async function settleDoubts(
  session: Session,
  { left, parcels, places = new Map() }: Additions,
  watched: readonly Parcel[],
  mayAsk: boolean,
): Promise<Additions> {
  const { context } = session;
  const doubts = sayDoubts(session, parcels, watched);
  if (doubts.size === 0 || !mayAsk || !canAsk(context)) return { left, parcels, places };
  const mistyped = [...doubts.keys()].filter(await mistypedNumbers());
  if (mistyped.length === 0) return { left, parcels, places };
  const what = mistyped.length === 1 ? 'it' : `these ${mistyped.length} numbers`;
  if (await askWhether(context, `Add ${what} all the same?`)) return { left, parcels, places };
  const taken = new Set(mistyped);
  const complaints = mistyped.map(
    (parcel): Complaint => ({
      reason: 'check-digit',
      message: `${doubts.get(parcel) ?? ''} Left out; --yes adds it all the same.`,
      place: places.get(parcel) ?? parcel.trackNo,
      fields: fieldsOfParcel(parcel),
    }),
  );
  return { left: [...left, ...complaints], parcels: parcels.filter((parcel) => !taken.has(parcel)), places };
}

/** Points out numbers with a wrong check digit that would cost something. Returns them with what was said of each. */
export function sayDoubts(
  { context }: Session,
  parcels: readonly NewParcel[],
  watched: readonly Parcel[],
): ReadonlyMap<NewParcel, string> {
  const find = createFindKnown(watched);
  const doubts = new Map<NewParcel, string>();
  for (const parcel of parcels) {
    if (parcel.archivedAt !== undefined || find(parcel) !== null) continue;
    const doubt = checkDigitDoubt(parcel.trackNo, parcel.courierCode);
    if (doubt !== null) doubts.set(parcel, doubt);
  }
  for (const doubt of [...doubts.values()].slice(0, mostWarnings)) say(context, doubt);
  const more = doubts.size - mostWarnings;
  if (more > 0)
    say(context, `${more} more ${more === 1 ? 'number has a wrong check digit' : 'numbers have wrong check digits'}.`);
  return doubts;
}

/**
 * Tells of a number with a wrong check digit whether no other courier's is right and, where a courier is named, whether its numbers have that
 * check digit. Formats of numbers are for those alone who have such numbers.
 */
async function mistypedNumbers(): Promise<(parcel: NewParcel) => boolean> {
  const [{ matchFormats }, { createScanCouriers, fittingCouriers }] = await Promise.all([
    import('../scan/match-formats.ts'),
    import('../scan/couriers.ts'),
  ]);
  const couriers = createScanCouriers([]);
  return ({ courierCode, trackNo }) => {
    if (matchFormats(trackNo).some(({ isVerified }) => isVerified)) return false;
    const key = courierCode === null ? null : couriers.ofName(courierCode);
    if (key === null) return courierCode === null;
    return fittingCouriers(matchFormats(trackNo, 'wrong')).includes(key);
  };
}
