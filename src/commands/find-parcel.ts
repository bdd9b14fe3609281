import { withoutGroupHyphens } from '../board/input/number-words.ts';
import { orderNoOf } from '../board/parcel-facts.ts';
import { cleanText } from '../lib/clean-text.ts';
import { fold, isSameNumber } from '../lib/text.ts';
import { normaliseTrackNo, type TrackNoProblem } from '../lib/track-number.ts';
import { sameCourier } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { NotWatchedError, UsageError } from '../settings/errors.ts';
import type { NamedParcels } from '../settings/session/core.ts';
import type { Results } from './results.ts';

export interface ParcelName {
  readonly trackNo: string;
  /** Null for a number alone. Empty (`NUMBER@`) for an unknown courier. */
  readonly courierCode: string | null;
}

type ParcelNameReading =
  | { readonly ok: true; readonly name: ParcelName }
  | { readonly ok: false; readonly reason: Exclude<TrackNoProblem, 'empty'> | 'no-number'; readonly message: string };

/** A courier after `@` overrides `courierCode` (from `--courier`). */
export function readParcelName(text: string, courierCode: string | null): ParcelNameReading {
  const at = text.lastIndexOf('@');
  const check = normaliseTrackNo(at === -1 ? text : text.slice(0, at));
  if (!check.ok) return { ...check, reason: check.reason === 'empty' ? 'no-number' : check.reason };
  const code = at === -1 ? courierCode : text.slice(at + 1).trim();
  return { ok: true, name: { trackNo: check.trackNo, courierCode: code } };
}

const hasCourier = (parcel: Parcel, courierCode: string | null): boolean =>
  courierCode === null || sameCourier(parcel.courierCode, courierCode || null);

/** If no number matches exactly, ignores hyphens, which couriers print between groups of digits. */
export function parcelsNamed(parcels: readonly Parcel[], { courierCode, trackNo }: ParcelName): readonly Parcel[] {
  const numbered = (number: string): readonly Parcel[] =>
    parcels.filter((parcel) => hasCourier(parcel, courierCode) && isSameNumber(parcel.trackNo, number));
  const exact = numbered(trackNo);
  return exact.length > 0 ? exact : numbered(withoutGroupHyphens(trackNo));
}

type NamedPlace = 'watchlist' | 'trash';

/**
 * Looks for the text as a number, then as a label, then as an order number, ignoring case and accents. Returns several
 * parcels only if several couriers have the number. Throws a {@link NotWatchedError} if no parcel matches, and a
 * {@link UsageError} if several parcels have the label or order number.
 */
export function findParcels(
  parcels: readonly Parcel[],
  text: string,
  courierCode: string | null,
  place: NamedPlace = 'watchlist',
): readonly [Parcel, ...Parcel[]] {
  const reading = readParcelName(text, courierCode);
  const [numbered, ...otherNumbered] = reading.ok ? parcelsNamed(parcels, reading.name) : [];
  if (numbered !== undefined) return [numbered, ...otherNumbered];
  const query = fold(text);
  for (const [what, nameOf] of namesOfParcels) {
    const found = parcels.filter(
      (parcel) => query !== '' && fold(nameOf(parcel) ?? '') === query && hasCourier(parcel, courierCode),
    );
    const [named, ...others] = found;
    if (named === undefined) continue;
    if (others.length === 0) return [named];
    const names = numberList(found);
    throw new UsageError(`${found.length} parcels have the ${what} "${nameOf(named)}". Choose one: ${names}.`);
  }
  throw notFound(text, reading.ok ? reading.name : null, place);
}

const namesOfParcels = [
  ['label', ({ label }: Parcel) => label],
  ['order number', orderNoOf],
] as const;

/** Throws a {@link NotWatchedError} for no parcel, and a {@link UsageError} for more than one. */
export function oneParcelNamed(
  parcels: readonly Parcel[],
  text: string,
  courierCode: string | null,
  place: NamedPlace = 'watchlist',
): Parcel {
  const [parcel, ...others] = findParcels(parcels, text, courierCode, place);
  if (others.length === 0) return parcel;
  const names = numberList([parcel, ...others]);
  throw new UsageError(`Several couriers have ${parcel.trackNo}. Choose one: ${names}.`);
}

/** Throws a {@link UsageError} for an empty argument, which is often an unset variable in a script. */
export function refuseBlank(texts: readonly string[]): void {
  if (texts.some((text) => text.trim() === '')) throw new UsageError('Which number? One of the arguments is empty.');
}

/**
 * Lets the store read only the parcels with these numbers, which is faster in a database. All parcels are read only if
 * one of the arguments may be a label. Throws like {@link refuseBlank}.
 */
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

/** Reports the arguments that match no parcel, and returns the parcels that the others match. */
export function parcelsNamedByAll(
  results: Pick<Results, 'reportError'>,
  texts: readonly string[],
  find: (text: string) => readonly Parcel[],
): { readonly parcels: readonly Parcel[]; readonly areAllFound: boolean } {
  const errors: (readonly [text: string, sentence: string])[] = [];
  // Resolves all arguments before anything is reported or changed, because an ambiguous one throws.
  const found = texts.flatMap((text) => {
    try {
      return find(text);
    } catch (error) {
      if (!(error instanceof NotWatchedError)) throw error;
      errors.push([text, error.message]);
      return [];
    }
  });
  for (const [text, sentence] of errors) results.reportError({ trackNo: text }, 'not-found', sentence);
  return { parcels: [...new Set(found)], areAllFound: errors.length === 0 };
}

const numberList = (parcels: readonly Parcel[]): string =>
  parcels.map(({ courierCode, trackNo }) => `${trackNo}@${courierCode ?? ''}`).join(', ');

/** @param name null if the text is not a number */
function notFound(text: string, name: ParcelName | null, place: NamedPlace): NotWatchedError {
  const isTrash = place === 'trash';
  const list = `"parcel-monitor ${isTrash ? 'restore' : 'list --all'}" lists ${isTrash ? 'removed' : 'all'} parcels.`;
  if (name === null) {
    const what = isTrash ? 'No removed parcel' : 'No parcel';
    return new NotWatchedError(`${what} has the number, label or order number "${cleanText(text)}". ${list}`);
  }
  const courier = name.courierCode ? ` under the courier "${name.courierCode}"` : '';
  const entered = cleanText(text.replace(/@[^@]*$/, '')).trim();
  const state = isTrash ? 'is not among the removed parcels' : 'is not on your list';
  return new NotWatchedError(`${entered} ${state}${courier}. ${list}`);
}
