import { createFilter, readFilter } from '../board/filter.ts';
import { filterProblem } from '../board/filter-typing.ts';
import { viewingOf } from '../board/status/forecast.ts';
import { urgencyWithinStage, type Viewing } from '../board/status/status-now.ts';
import { counted } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { shownStage } from '../parcels/parcel-stage.ts';
import { shownStages } from '../parcels/stages.ts';
import { NothingGivenError, UsageError } from '../settings/errors.ts';
import { askYesNo, type CommandContext, canAsk } from '../settings/session/context.ts';
import type { Core } from '../settings/session/core.ts';
import { printNote, type Session, zoneOf } from '../settings/session/session.ts';
import { parcelsNamedByAll } from './find-parcel.ts';
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
    const own = shownStage(parcel);
    const rank = parcel.archivedAt === null ? shownStages.indexOf(own) : shownStages.length;
    return [{ parcel, rank, urgency: urgencyWithinStage(parcel, own) }];
  });
  return ranked.sort((a, b) => a.rank - b.rank || descending(a.urgency, b.urgency)).map(({ parcel }) => parcel);
}

/** Compares first, because Infinity - Infinity is NaN. */
const descending = (left: number, right: number): number => (left === right ? 0 : right - left);

/** Options of commands that take either numbers or a filter. */
export interface FilterOptions {
  readonly filter?: string;
  readonly yes?: boolean;
}

/** Throws a {@link UsageError} for a filter that is not valid. Reports a filter that matches nothing. */
export function filterOf(
  text: string,
  context: Pick<CommandContext, 'stderr'>,
  viewing: Viewing & { readonly parcels: readonly Parcel[] },
): (parcel: Parcel) => boolean {
  if (readFilter(text).terms.some(({ term, value }) => term.name === 'is' && value === 'marked'))
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
 * @param isNeeded whether to also throw if there are neither numbers nor a filter
 */
export function requireTargets(numbers: readonly string[], { filter, yes }: FilterOptions, isNeeded = true): void {
  if (filter !== undefined && numbers.length > 0) throw new UsageError('Give either numbers or --filter, not both.');
  if (filter?.trim() === '') throw new UsageError('--filter requires words or terms, such as --filter is:late.');
  if (filter === undefined && numbers.length === 0 && isNeeded)
    throw new NothingGivenError('Which parcels? Give their numbers or labels, or use --filter.');
  if (filter === undefined && yes === true) throw new UsageError('--yes requires --filter.');
}

/** Returns the matching parcels, most urgent first. Throws like {@link filterOf}. */
export function filteredParcels(
  session: Pick<Session, 'context' | 'configuration'>,
  text: string,
  { now, parcels }: { readonly now: number; readonly parcels: readonly Parcel[] },
  { passes = () => true, ...selection }: ParcelSelection = {},
): readonly Parcel[] {
  const viewing = { parcels, ...viewingOf(parcels, { now, zone: zoneOf(session) }) };
  const matches = filterOf(text, session.context, viewing);
  return selectParcels(parcels, { ...selection, passes: (parcel) => passes(parcel) && matches(parcel) });
}

/** How many parcels the question names. */
const maxNamed = 5;

interface ParcelChoice {
  readonly numbers: readonly string[];
  readonly options: FilterOptions;
  /** The action, such as `Remove`. */
  readonly what: string;
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
  { find, matching, numbers, options, what }: ParcelChoice,
): Promise<ReturnType<typeof parcelsNamedByAll> | null> {
  const { parcels } = monitor.getState();
  if (options.filter === undefined) return parcelsNamedByAll(results, numbers, (text) => find(parcels, text));
  const found = filteredParcels(session, options.filter, { parcels, now: stores.clock.now() }, matching);
  return (await confirmFiltered(session, what, found, options)) ? { parcels: found, areAllFound: true } : null;
}

async function confirmFiltered(
  { context }: Session,
  what: string,
  parcels: readonly Parcel[],
  { yes = false }: FilterOptions,
): Promise<boolean> {
  if (parcels.length === 0) {
    printNote(context, 'No parcel matches.');
    return false;
  }
  if (yes) return true;
  const named = parcels.slice(0, maxNamed).map(({ label, trackNo }) => label ?? trackNo);
  const more = parcels.length > maxNamed ? ', …' : '';
  const question = `${what} ${counted(parcels.length, 'parcel')} (${named.join(', ')}${more})?`;
  if (!canAsk(context)) throw new UsageError(`${question} Add --yes to skip the confirmation.`);
  return await askYesNo(context, question);
}
