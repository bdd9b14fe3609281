import { checkDigitDoubt } from '../board/input/number-words.ts';
import { createFindKnown } from '../board/scan/judge-rows.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import { askWhether, canAsk } from '../settings/session/context.ts';
import { type Session, say } from '../settings/session/session.ts';
import { fieldsOfParcel } from './output-file.ts';
import type { Additions, Complaint } from './parsed-entries.ts';

const mostWarnings = 5;

/**
 * Asks before a registration is paid for. Only warns where another courier may have the number, or without a terminal:
 * a script adds what it names. Watched and archived numbers cost nothing.
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

/** Skips numbers that cost nothing. */
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

/** Loads the number formats only here, because they load slowly. */
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
