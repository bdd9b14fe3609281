import { checkDigitWarning } from '../board/input/add-input.ts';
import type { RejectedEntry } from '../board/input/entered-text.ts';
import { createParcelFinder } from '../board/scan/judge-rows.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import { couriersForFormats, createScanCouriers, type ScanCouriers } from '../scan/couriers.ts';
import { matchFormats } from '../scan/number-formats.ts';
import type { GivenFields } from '../scan/text-table.ts';
import { UsageError } from '../settings/errors.ts';
import { askYesNo, canAsk } from '../settings/session/context.ts';
import { printNote } from '../settings/session/output.ts';
import type { Session } from '../settings/session/session.ts';
import type { CourierLookup } from './couriers.ts';
import { fieldsOfParcel, type UnimportedNumber } from './output-file.ts';
import type { Results } from './results.ts';

interface PlacedEntry {
  /** Such as `line 3`, or the argument itself. */
  readonly place: string;
  readonly fields: GivenFields;
}

/** An entry that was left out, with its place in `why`. */
export interface SkippedEntry extends UnimportedNumber, PlacedEntry {
  readonly reason: RejectedEntry['reason'];
}

export const toSkippedEntry = ({ fields, place }: PlacedEntry, { message, reason }: RejectedEntry): SkippedEntry => ({
  reason,
  place,
  fields,
  why: message.startsWith(place) ? message : `${place}: ${message}`,
});

export interface ParcelEntry extends PlacedEntry {
  readonly reading: NewParcel | RejectedEntry;
  /** Whether an unknown courier aborts the command. */
  readonly isStrict?: boolean;
}

export interface Additions {
  readonly parcels: readonly NewParcel[];
  readonly skipped: readonly SkippedEntry[];
  readonly places?: ReadonlyMap<NewParcel, string>;
}

/**
 * Checks the couriers before any request costs anything. Skips entries with an unknown courier, but throws a
 * {@link UsageError} for a strict one.
 */
export function checkCouriers(entries: readonly ParcelEntry[], { check }: CourierLookup): Additions {
  const parcels: NewParcel[] = [];
  const skipped: SkippedEntry[] = [];
  const places = new Map<NewParcel, string>();
  for (const entry of entries) {
    const { place, reading } = entry;
    const code = 'reason' in reading || reading.archivedAt !== undefined ? null : reading.courierCode;
    const problem = code === null ? null : check(code);
    if (problem !== null && entry.isStrict === true) throw new UsageError(problem);
    if (problem !== null) skipped.push(toSkippedEntry(entry, { reason: 'unknown-courier', message: problem }));
    else if ('reason' in reading) skipped.push(toSkippedEntry(entry, reading));
    else {
      parcels.push(reading);
      places.set(reading, place);
    }
  }
  return { parcels, skipped, places };
}

export function reportSkipped(results: Pick<Results, 'reportError'>, skipped: readonly SkippedEntry[]): void {
  for (const { fields, place, why } of skipped)
    results.reportError({ trackNo: fields.trackNo ?? place }, 'left-out', why);
}

const maxWarnings = 5;

/**
 * Warns about numbers with wrong check digits. Because a registration costs credit, also asks before adding those that
 * are not valid for any other courier. Never asks without a terminal: scripts add the numbers they name.
 */
export async function confirmCheckDigits(
  session: Session,
  { skipped, parcels, places = new Map() }: Additions,
  watched: readonly Parcel[],
  canPrompt: boolean,
): Promise<Additions> {
  const { context } = session;
  const warnings = warnAboutCheckDigits(session, parcels, watched);
  if (warnings.size === 0 || !canPrompt || !canAsk(context)) return { skipped, parcels, places };
  const couriers = createScanCouriers([]);
  const mistyped = [...warnings.keys()].filter((parcel) => isMistyped(parcel, couriers));
  if (mistyped.length === 0) return { skipped, parcels, places };
  const what = mistyped.length === 1 ? 'it' : `these ${mistyped.length} numbers`;
  if (await askYesNo(context, `Add ${what} anyway?`)) return { skipped, parcels, places };
  const declined = new Set(mistyped);
  const rejected = mistyped.map((parcel) => {
    const entry = { place: places.get(parcel) ?? parcel.trackNo, fields: fieldsOfParcel(parcel) };
    const message = `${warnings.get(parcel) ?? ''} It was left out. Use --yes to add it anyway.`;
    return toSkippedEntry(entry, { reason: 'check-digit', message });
  });
  return { skipped: [...skipped, ...rejected], parcels: parcels.filter((parcel) => !declined.has(parcel)), places };
}

/** Skips watched and archived numbers, because they cost nothing. */
export function warnAboutCheckDigits(
  { context }: Session,
  parcels: readonly NewParcel[],
  watched: readonly Parcel[],
): ReadonlyMap<NewParcel, string> {
  const find = createParcelFinder(watched);
  const warnings = new Map<NewParcel, string>();
  for (const parcel of parcels) {
    if (parcel.archivedAt !== undefined || find(parcel) !== null) continue;
    const warning = checkDigitWarning(parcel.trackNo, parcel.courierCode);
    if (warning !== null) warnings.set(parcel, warning);
  }
  for (const warning of [...warnings.values()].slice(0, maxWarnings)) printNote(context, warning);
  const more = warnings.size - maxWarnings;
  if (more > 0)
    printNote(
      context,
      `${more} more ${more === 1 ? 'number has a wrong check digit' : 'numbers have wrong check digits'}.`,
    );
  return warnings;
}

function isMistyped({ courierCode, trackNo }: NewParcel, couriers: ScanCouriers): boolean {
  if (matchFormats(trackNo).some(({ isVerified }) => isVerified)) return false;
  const key = courierCode === null ? null : couriers.keyForName(courierCode);
  if (key === null) return courierCode === null;
  return couriersForFormats(matchFormats(trackNo, 'wrong')).includes(key);
}
