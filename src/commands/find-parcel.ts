import { sameCourier, sameTrackNo } from '../watchlist/identity.ts';
import type { Parcel } from '../watchlist/parcel.ts';
import { normaliseTrackNo } from '../watchlist/track-number.ts';
import { NotWatchedError, UsageError } from './errors.ts';

/** A parcel as it is named on the command line: `NUMBER`, `NUMBER@COURIER`, or `NUMBER` with `--courier`. */
export interface ParcelName {
  readonly trackNo: string;
  /** Null when the number alone was given; empty (`NUMBER@`) for the parcel whose courier is not known yet. */
  readonly courierCode: string | null;
}

/** A name that was read, or what is wrong with it. */
export type ParcelNameReading =
  | { readonly ok: true; readonly name: ParcelName }
  | { readonly ok: false; readonly message: string };

/** Reads a parcel's name. A courier after `@` outranks the one handed in, which is that of `--courier`. */
export function readParcelName(text: string, courierCode: string | null): ParcelNameReading {
  const at = text.lastIndexOf('@');
  const check = normaliseTrackNo(at === -1 ? text : text.slice(0, at));
  if (!check.ok) return check;
  return {
    ok: true,
    name: { trackNo: check.trackNo, courierCode: at === -1 ? courierCode : text.slice(at + 1).trim() },
  };
}

/** The parcels that a name fits: one number can be watched under several couriers. */
export function parcelsNamed(parcels: readonly Parcel[], name: ParcelName): readonly Parcel[] {
  return parcels.filter(
    (parcel) =>
      sameTrackNo(parcel.trackNo, name.trackNo) &&
      (name.courierCode === null || sameCourier(parcel.courierCode, name.courierCode || null)),
  );
}

/**
 * The one parcel that a text names. Throws a {@link NotWatchedError} when there is none, and a {@link UsageError}
 * when the number is watched under several couriers.
 */
export function oneParcelNamed(parcels: readonly Parcel[], text: string, courierCode: string | null): Parcel {
  const reading = readParcelName(text, courierCode);
  if (!reading.ok) throw new NotWatchedError(reading.message);
  const [parcel, ...others] = parcelsNamed(parcels, reading.name);
  if (parcel === undefined) throw notWatched(reading.name);
  if (others.length > 0) {
    const names = [parcel, ...others].map((one) => `${one.trackNo}@${one.courierCode ?? ''}`).join(', ');
    throw new UsageError(`${parcel.trackNo} is watched under several couriers; name one of: ${names}.`);
  }
  return parcel;
}

/** The complaint about a number that is not on the watchlist. */
export function notWatched(name: ParcelName): NotWatchedError {
  const courier = !name.courierCode ? '' : ` under the courier "${name.courierCode}"`;
  return new NotWatchedError(`${name.trackNo} is not watched${courier}; "parcel-monitor list --all" shows what is.`);
}
