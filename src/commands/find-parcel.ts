import { withoutGroupHyphens } from '../board/input/number-words.ts';
import { cleanText } from '../lib/clean-text.ts';
import { fold, isSameNumber } from '../lib/text.ts';
import { normaliseTrackNo, type TrackNoFlaw } from '../lib/track-number.ts';
import { sameCourier } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { NotWatchedError, UsageError } from '../settings/errors.ts';
import type { NamedParcels } from '../settings/session/core.ts';
import { type Session, say } from '../settings/session/session.ts';

export interface ParcelName {
  readonly trackNo: string;
  /** Null for a number alone; empty (`NUMBER@`) for a courier that is not known yet. */
  readonly courierCode: string | null;
}

type ParcelNameReading =
  | { readonly ok: true; readonly name: ParcelName }
  | { readonly ok: false; readonly flaw: Exclude<TrackNoFlaw, 'empty'> | 'no-number'; readonly message: string };

/** A courier after `@` outranks `courierCode`, which is that of `--courier`. */
export function readParcelName(text: string, courierCode: string | null): ParcelNameReading {
  const at = text.lastIndexOf('@');
  const check = normaliseTrackNo(at === -1 ? text : text.slice(0, at));
  if (!check.ok) return { ...check, flaw: check.flaw === 'empty' ? 'no-number' : check.flaw };
  return {
    ok: true,
    name: { trackNo: check.trackNo, courierCode: at === -1 ? courierCode : text.slice(at + 1).trim() },
  };
}

/** Ignores hyphens unless a number is watched with them: couriers print hyphens between groups of digits. */
export function parcelsNamed(parcels: readonly Parcel[], name: ParcelName): readonly Parcel[] {
  const ofCourier = parcels.filter(
    (parcel) => name.courierCode === null || sameCourier(parcel.courierCode, name.courierCode || null),
  );
  const exact = ofCourier.filter((parcel) => isSameNumber(parcel.trackNo, name.trackNo));
  const plain = withoutGroupHyphens(name.trackNo);
  return exact.length > 0 ? exact : ofCourier.filter((parcel) => isSameNumber(parcel.trackNo, plain));
}

/** Ignores case and accents. */
function isLabelled(texts: readonly string[], courierCode: string | null): (parcel: Parcel) => boolean {
  const labels = new Set(texts.map(fold).filter((text) => text !== ''));
  return ({ courierCode: code, label }) =>
    label !== null && labels.has(fold(label)) && (courierCode === null || sameCourier(code, courierCode || null));
}

type NamedPlace = 'watchlist' | 'trash';

/** Throws a {@link NotWatchedError} for no parcel, and a {@link UsageError} when several have the label. */
export function parcelsMeant(
  parcels: readonly Parcel[],
  text: string,
  courierCode: string | null,
  place: NamedPlace = 'watchlist',
): readonly [Parcel, ...Parcel[]] {
  const reading = readParcelName(text, courierCode);
  const [numbered, ...otherNumbered] = reading.ok ? parcelsNamed(parcels, reading.name) : [];
  if (numbered !== undefined) return [numbered, ...otherNumbered];
  const [labelled, ...otherLabelled] = parcels.filter(isLabelled([text], courierCode));
  if (labelled === undefined) throw reading.ok ? notFound(text, reading.name, place) : nothingCalled(text, place);
  if (otherLabelled.length > 0) {
    const names = numbersOf([labelled, ...otherLabelled]);
    throw new UsageError(
      `${otherLabelled.length + 1} parcels have the label "${labelled.label}"; name one of: ${names}.`,
    );
  }
  return [labelled];
}

/** Throws a {@link NotWatchedError} for no parcel, and a {@link UsageError} for more than one. */
export function oneParcelNamed(
  parcels: readonly Parcel[],
  text: string,
  courierCode: string | null,
  place: NamedPlace = 'watchlist',
): Parcel {
  const [parcel, ...others] = parcelsMeant(parcels, text, courierCode, place);
  if (others.length === 0) return parcel;
  const state = place === 'trash' ? 'was removed' : 'is watched';
  throw new UsageError(
    `${parcel.trackNo} ${state} under several couriers; name one of: ${numbersOf([parcel, ...others])}.`,
  );
}

/** Throws a {@link UsageError} for a blank argument, such as an unset variable of a script. */
export function refuseBlank(texts: readonly string[]): void {
  if (texts.some((text) => text.trim() === '')) {
    throw new UsageError('Which number? An argument is empty; name a number.');
  }
}

/** Reads labels only when a text is not a number, because that needs all parcels. Throws like {@link refuseBlank}. */
export function namedParcels(texts: readonly string[], courierCode: string | null): NamedParcels {
  refuseBlank(texts);
  const readings = texts.map((text) => readParcelName(text, courierCode));
  const names = readings.flatMap((reading) => (reading.ok ? [reading.name] : []));
  return {
    numbers: names.flatMap(({ trackNo }) => [trackNo, withoutGroupHyphens(trackNo)]),
    isEnough: (parcels) =>
      names.length === texts.length && names.every((name) => parcelsNamed(parcels, name).length > 0),
  };
}

/** A text that fits no parcel is reported and does not stop the others. */
export function parcelsNamedByAll(
  { context }: Pick<Session, 'context'>,
  texts: readonly string[],
  find: (text: string) => readonly Parcel[],
): { readonly parcels: readonly Parcel[]; readonly areAllFound: boolean } {
  let areAllFound = true;
  // All names are resolved first, so that an ambiguous one changes nothing.
  const found = texts.map((text) => {
    try {
      return find(text);
    } catch (error) {
      if (!(error instanceof NotWatchedError)) throw error;
      areAllFound = false;
      return error.message;
    }
  });
  for (const one of found) if (typeof one === 'string') say(context, one);
  return { parcels: [...new Set(found.flatMap((one) => (typeof one === 'string' ? [] : one)))], areAllFound };
}

const numbersOf = (parcels: readonly Parcel[]): string =>
  parcels.map(({ courierCode, trackNo }) => `${trackNo}@${courierCode ?? ''}`).join(', ');

function nothingCalled(text: string, place: NamedPlace): NotWatchedError {
  const what = place === 'trash' ? 'No removed parcel' : 'No parcel';
  return new NotWatchedError(
    `${what} has the number or label "${cleanText(text)}"; "parcel-monitor ${listing[place]}" shows what there is.`,
  );
}

const listing: Readonly<Record<NamedPlace, string>> = { watchlist: 'list --all', trash: 'restore' };

function notFound(text: string, name: ParcelName, place: NamedPlace): NotWatchedError {
  const courier = !name.courierCode ? '' : ` under the courier "${name.courierCode}"`;
  const entered = cleanText(text.replace(/@[^@]*$/, '')).trim();
  const state = place === 'trash' ? 'is not among the removed parcels' : 'is not watched';
  return new NotWatchedError(`${entered} ${state}${courier}; "parcel-monitor ${listing[place]}" shows what is.`);
}
