import type { SortOrder } from '../board/list/sort-orders.ts';
import { listJson, parcelJson } from '../board/parcel-json.ts';
import { urgencyWithinStage } from '../board/status/status-now.ts';
import { cleanText } from '../lib/clean-text.ts';
import { didYouMean } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStage, shownStage } from '../parcels/parcel-stage.ts';
import { shownStages } from '../parcels/stages.ts';
import { usualStillness } from '../parcels/stillness.ts';
import { type Stage, stages } from '../service/status.ts';
import { UsageError } from '../settings/errors.ts';
import { readRows, type WatchlistView } from '../settings/session/open-stores.ts';
import { type Session, say, zoneOf } from '../settings/session/session.ts';
import { inBatches } from '../store/store.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { type ParcelColumn, parcelColumns } from './export-format.ts';
import { parcelsText } from './parcel-table.ts';

interface ParcelSelection {
  readonly all: boolean;
  readonly stage: Stage | null;
  readonly passes?: (parcel: Parcel) => boolean;
}

/** Newest event first within a stage; for a pick-up the longest wait. Archived parcels come last. */
export function selectParcels(
  parcels: readonly Parcel[],
  { all, stage, passes = () => true }: ParcelSelection,
): readonly Parcel[] {
  const ranked = parcels.flatMap((parcel) => {
    if ((!all && parcel.archivedAt !== null) || !passes(parcel)) return [];
    if (stage !== null && parcelStage(parcel) !== stage) return [];
    const own = shownStage(parcel);
    const rank = parcel.archivedAt === null ? shownStages.indexOf(own) : shownStages.length;
    return [{ parcel, rank, urgency: urgencyWithinStage(parcel, own) }];
  });
  return ranked.sort((a, b) => a.rank - b.rank || descending(a.urgency, b.urgency)).map(({ parcel }) => parcel);
}

/** Two equal values may be infinite, and their difference would be NaN. */
const descending = (left: number, right: number): number => (left === right ? 0 : right - left);

export interface ListOptions {
  readonly json?: boolean;
  readonly all?: boolean;
  readonly stage?: string;
  readonly filter?: string;
  readonly sort?: string;
  /** Separated by commas. JSON always has all of them. */
  readonly columns?: string;
}

/** Reads the files only; never queries the service. */
export async function runList(session: Session, options: ListOptions): Promise<ExitCode> {
  const stage = options.stage === undefined ? null : named('stage', options.stage, stages);
  const columns = options.columns === undefined ? undefined : columnsNamed(options.columns);
  const order = options.sort === undefined ? 'urgency' : await orderNamed(options.sort);
  const { context } = session;
  if (options.json === true) return await printJson(session, options, stage, order);
  // The code that measures text loads slowly, and JSON does not need it.
  const [view, { parcelTable, parcelTableWidth }, { printTable }] = await Promise.all([
    readRows(session),
    import('./parcel-table.ts'),
    import('../settings/session/text-table.ts'),
  ]);
  const passes = options.filter === undefined ? () => true : await filterOf(options.filter, session, view);
  const byUrgency = selectParcels(view.parcels, { all: options.all === true, stage, passes });
  const parcels = await inOrder(byUrgency, order, session, view);
  if (parcels.length === 0) {
    say(context, emptyText(view));
    if (view.parcels.length === 0) await sayDamaged(session);
    return exitCode.done;
  }
  const usual = usualStillness(view.parcels);
  printTable(
    session,
    parcelTable(parcels, {
      ...view,
      zone: zoneOf(session),
      usual,
      width: parcelTableWidth(context),
      ...(columns === undefined ? {} : { columns }),
    }),
  );
  return exitCode.done;
}

async function printJson(
  session: Session,
  options: ListOptions,
  stage: Stage | null,
  order: SortOrder,
): Promise<ExitCode> {
  const view = await readRows(session);
  const passes = options.filter === undefined ? () => true : await filterOf(options.filter, session, view);
  const byUrgency = selectParcels(view.parcels, { all: options.all === true, stage, passes });
  const parcels = await inOrder(byUrgency, order, session, view);
  const { configuration, context } = session;
  const { stdout } = context;
  // Indented only for a terminal.
  const space = stdout.isTerminal ? 2 : 0;
  const list = listJson([], configuration.baseUrl, view);
  const textOf = (parcel: Parcel): string => JSON.stringify(parcelJson(parcel, view), null, space);
  for await (const text of parcelsText(list, inBatches(parcels, parcelsInPiece), textOf, space)) stdout.write(text);
  return exitCode.done;
}

/** Limits the memory that one piece takes. */
const parcelsInPiece = 100;

async function sayDamaged({ context, paths }: Session): Promise<void> {
  const { damagedWatchlist } = await import('../settings/session/open-stores.ts');
  const sentence = await damagedWatchlist(paths);
  if (sentence !== null) say(context, sentence);
}

/** Loaded only where it is needed. */
async function filterOf(
  text: string,
  session: Session,
  { now, parcels }: WatchlistView,
): Promise<(parcel: Parcel) => boolean> {
  const { context } = session;
  const [{ createFilter }, { filterProblem }] = await Promise.all([
    import('../board/filter.ts'),
    import('../board/filter-typing.ts'),
  ]);
  const problem = filterProblem(text, parcels);
  if (problem !== null) {
    const sentence = [`${problem.text}.`, problem.advice].filter((part) => part !== null).join(' ');
    // A value that fits no parcel today may fit one tomorrow, so it is no error for a script.
    if (problem.kind !== 'unmatched') throw new UsageError(sentence);
    say(context, sentence);
  }
  const zone = zoneOf(session);
  return createFilter(text, { now, zone, usual: usualStillness(parcels) });
}

/** Loaded only where it is needed. */
async function inOrder(
  parcels: readonly Parcel[],
  order: SortOrder,
  session: Session,
  { now }: WatchlistView,
): Promise<readonly Parcel[]> {
  if (order === 'urgency') return parcels;
  const { sorted } = await import('../board/list/sort-orders.ts');
  return sorted(parcels, { order, isReversed: false }, { now, zone: zoneOf(session) });
}

async function orderNamed(text: string): Promise<SortOrder> {
  const { sortOrders } = await import('../board/list/sort-orders.ts');
  return named('order', text, sortOrders);
}

function columnsNamed(text: string): readonly ParcelColumn[] {
  const words = text.split(',').flatMap((word) => word.trim() || []);
  if (words.length === 0)
    throw new UsageError(`Name columns, such as: --columns ${parcelColumns.slice(1, 5).join(',')}.`);
  return [...new Set(words.map((word) => named('column', word, parcelColumns)))];
}

/** Ignores case. Throws a {@link UsageError} that lists all names. */
function named<Name extends string>(kind: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text.toLowerCase());
  if (found !== undefined) return found;
  throw new UsageError(
    `The ${kind} "${cleanText(text)}" does not exist; there are: ${names.join(', ')}.${didYouMean(text, names)}`,
  );
}

function emptyText({ parcels }: WatchlistView): string {
  if (parcels.length === 0) return 'No parcels are watched yet; add one with "parcel-monitor add NUMBER".';
  return parcels.every((parcel) => parcel.archivedAt !== null)
    ? 'All parcels are archived; "parcel-monitor list --all" shows them.'
    : 'No parcel matches.';
}
