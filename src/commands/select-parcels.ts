import { createFilter, parseFilter } from '../board/filter.ts';
import { filterProblem } from '../board/filter-typing.ts';
import { withoutGroupHyphens } from '../board/input/add-input.ts';
import { orderNoOf } from '../board/parcel-facts.ts';
import { createViewing } from '../board/status/forecast.ts';
import { urgencyWithinStage, type Viewing } from '../board/status/status-now.ts';
import { cleanText } from '../lib/clean-text.ts';
import { counted, fold, isSameNumber } from '../lib/text.ts';
import { normaliseTrackNo, type TrackNoProblem } from '../lib/track-number.ts';
import { sameCourier } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { shownStage } from '../parcels/parcel-state.ts';
import { shownStages } from '../parcels/stages.ts';
import { MissingArgumentError, NotWatchedError, UsageError } from '../settings/errors.ts';
import { askYesNo, type CommandContext, canAsk } from '../settings/session/context.ts';
import type { Core, NamedParcels } from '../settings/session/core.ts';
import { printNote } from '../settings/session/output.ts';
import { type Session, zoneOf } from '../settings/session/session.ts';
import type { Results } from './results.ts';

interface ParcelSelection {
  readonly all?: boolean | undefined;
  readonly passes?: (parcel: Parcel) => boolean;
}

/** Sorts by stage, then by newest event (pick-ups by longest wait). Archived parcels come last. */
export function selectParcels(
  parcels: readonly Parcel[],
  { all = false, passes = () => true }: ParcelSelection = {},
): readonly Parcel[] {
  const ranked = parcels.flatMap((parcel) => {
    if ((!all && parcel.archivedAt !== null) || !passes(parcel)) return [];
    const stage = shownStage(parcel);
    const rank = parcel.archivedAt === null ? shownStages.indexOf(stage) : shownStages.length;
    return [{ parcel, rank, urgency: urgencyWithinStage(parcel, stage) }];
  });
  return ranked.sort((a, b) => a.rank - b.rank || descending(a.urgency, b.urgency)).map(({ parcel }) => parcel);
}

/** Compares first, because Infinity - Infinity is NaN. */
const descending = (left: number, right: number): number => (left === right ? 0 : right - left);

export interface FilterOptions {
  readonly filter?: string;
  readonly yes?: boolean;
}

/** Throws a {@link UsageError} for a filter that is not valid. Reports a filter that matches nothing. */
export function compileFilter(
  text: string,
  context: Pick<CommandContext, 'stderr'>,
  viewing: Viewing & { readonly parcels: readonly Parcel[] },
): (parcel: Parcel) => boolean {
  if (parseFilter(text).terms.some(({ term, value }) => term.name === 'is' && value === 'marked'))
    throw new UsageError('"is:marked" only works on the board. Filter by something else, such as a tag.');
  const problem = filterProblem(text, viewing.parcels);
  if (problem !== null) {
    const sentence = [`${problem.text}.`, problem.advice].filter((part) => part !== null).join(' ');
    // Only a warning, because a value that matches no parcel today may match one tomorrow.
    if (problem.kind !== 'unmatched') throw new UsageError(sentence);
    printNote(context, sentence);
  }
  return createFilter(text, viewing);
}

/**
 * Throws a {@link UsageError} for both numbers and a filter, and for `--yes` without a filter.
 * @param isRequired whether to also throw if there are neither numbers nor a filter
 */
export function requireTargets(numbers: readonly string[], { filter, yes }: FilterOptions, isRequired = true): void {
  if (filter !== undefined && numbers.length > 0) throw new UsageError('Give either numbers or --filter, not both.');
  if (filter?.trim() === '') throw new UsageError('--filter requires words or terms, such as --filter is:late.');
  if (filter === undefined && numbers.length === 0 && isRequired)
    throw new MissingArgumentError('Which parcels? Give their numbers or labels, or use --filter.');
  if (filter === undefined && yes === true) throw new UsageError('--yes requires --filter.');
}

/** Returns the matching parcels, most urgent first. Throws like {@link compileFilter}. */
export function filterParcels(
  session: Pick<Session, 'context' | 'configuration'>,
  text: string,
  { now, parcels }: { readonly now: number; readonly parcels: readonly Parcel[] },
  { passes = () => true, ...selection }: ParcelSelection = {},
): readonly Parcel[] {
  const viewing = { parcels, ...createViewing(parcels, { now, zone: zoneOf(session) }) };
  const matches = compileFilter(text, session.context, viewing);
  return selectParcels(parcels, { ...selection, passes: (parcel) => passes(parcel) && matches(parcel) });
}

/** How many parcels the question names. */
const maxNamed = 5;

interface ParcelChoice {
  readonly numbers: readonly string[];
  readonly options: FilterOptions;
  /** The action, such as `Remove`. */
  readonly action: string;
  /** Throws a `NotWatchedError` if no parcel has this number or label. */
  readonly find: (parcels: readonly Parcel[], text: string) => readonly Parcel[];
  readonly matching?: ParcelSelection;
}

/**
 * Returns the named or matching parcels. Asks before acting on matching ones, and returns null if the user declines or
 * no parcel matches. Throws a {@link UsageError} if the user cannot be asked.
 */
export async function chooseParcels(
  session: Session,
  { monitor, stores }: Core,
  results: Results,
  { find, matching, numbers, options, action }: ParcelChoice,
): Promise<ReturnType<typeof findAllNamed> | null> {
  const { parcels } = monitor.getState();
  if (options.filter === undefined) return findAllNamed(results, numbers, (text) => find(parcels, text));
  const found = filterParcels(session, options.filter, { parcels, now: stores.clock.now() }, matching);
  const { context } = session;
  if (found.length === 0) {
    printNote(context, 'No parcel matches.');
    return null;
  }
  const chosen = { parcels: found, areAllFound: true };
  if (options.yes === true) return chosen;
  const names = found.slice(0, maxNamed).map(({ label, trackNo }) => label ?? trackNo);
  const more = found.length > maxNamed ? ', …' : '';
  const question = `${action} ${counted(found.length, 'parcel')} (${names.join(', ')}${more})?`;
  if (!canAsk(context)) throw new UsageError(`${question} Add --yes to skip the confirmation.`);
  return (await askYesNo(context, question)) ? chosen : null;
}

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
export function findByName(parcels: readonly Parcel[], { courierCode, trackNo }: ParcelName): readonly Parcel[] {
  const withNumber = (number: string): readonly Parcel[] =>
    parcels.filter((parcel) => hasCourier(parcel, courierCode) && isSameNumber(parcel.trackNo, number));
  const exact = withNumber(trackNo);
  return exact.length > 0 ? exact : withNumber(withoutGroupHyphens(trackNo));
}

type SearchPlace = 'watchlist' | 'trash';

/**
 * Looks for the text as a number, then as a label, then as an order number, ignoring case and accents. Returns several
 * parcels only if several couriers have the number. Throws a {@link NotWatchedError} if no parcel matches, and a
 * {@link UsageError} if several parcels have the label or order number.
 */
export function findParcels(
  parcels: readonly Parcel[],
  text: string,
  courierCode: string | null,
  place: SearchPlace = 'watchlist',
): readonly [Parcel, ...Parcel[]] {
  const reading = readParcelName(text, courierCode);
  const [match, ...otherMatches] = reading.ok ? findByName(parcels, reading.name) : [];
  if (match !== undefined) return [match, ...otherMatches];
  const query = fold(text);
  for (const [what, getName] of nameFields) {
    const found = parcels.filter(
      (parcel) => query !== '' && fold(getName(parcel) ?? '') === query && hasCourier(parcel, courierCode),
    );
    const [parcel, ...others] = found;
    if (parcel === undefined) continue;
    if (others.length === 0) return [parcel];
    const names = numberList(found);
    throw new UsageError(`${found.length} parcels have the ${what} "${getName(parcel)}". Choose one: ${names}.`);
  }
  throw notFoundError(text, reading.ok ? reading.name : null, place);
}

const nameFields = [
  ['label', ({ label }: Parcel) => label],
  ['order number', orderNoOf],
] as const;

/** Throws a {@link NotWatchedError} for no parcel, and a {@link UsageError} for more than one. */
export function findOneParcel(
  parcels: readonly Parcel[],
  text: string,
  courierCode: string | null,
  place: SearchPlace = 'watchlist',
): Parcel {
  const [parcel, ...others] = findParcels(parcels, text, courierCode, place);
  if (others.length === 0) return parcel;
  const names = numberList([parcel, ...others]);
  throw new UsageError(`Several couriers have ${parcel.trackNo}. Choose one: ${names}.`);
}

/** Throws a {@link UsageError} for an empty argument, which is often an unset variable in a script. */
export function assertNotBlank(texts: readonly string[]): void {
  if (texts.some((text) => text.trim() === '')) throw new UsageError('Which number? One of the arguments is empty.');
}

/**
 * Lets the store read only the parcels with these numbers, which is faster in a database. All parcels are read only if
 * one of the arguments may be a label. Throws like {@link assertNotBlank}.
 */
export function parseParcelNames(texts: readonly string[], courierCode: string | null): NamedParcels {
  assertNotBlank(texts);
  const readings = texts.map((text) => readParcelName(text, courierCode));
  const names = readings.flatMap((reading) => (reading.ok ? [reading.name] : []));
  return {
    numbers: names.flatMap(({ trackNo }) => [trackNo, withoutGroupHyphens(trackNo)]),
    isEnough: (parcels) => names.length === texts.length && names.every((name) => findByName(parcels, name).length > 0),
  };
}

/** Reports the arguments that match no parcel, and returns the parcels that the others match. */
function findAllNamed(
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
function notFoundError(text: string, name: ParcelName | null, place: SearchPlace): NotWatchedError {
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
