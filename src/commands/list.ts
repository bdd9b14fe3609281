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
  /** Archived ones, too. */
  readonly all: boolean;
  readonly stage: Stage | null;
  readonly passes?: (parcel: Parcel) => boolean;
}

/** The parcels to list: most urgent stage first, in it the newest event (of what can be picked up, the longest wait) first, archived ones last. */
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

/** Two that are the same may be infinite. */
const descending = (left: number, right: number): number => (left === right ? 0 : right - left);

export interface ListOptions {
  readonly json?: boolean;
  /** Archived ones, too. */
  readonly all?: boolean;
  readonly stage?: string;
  readonly filter?: string;
  /** One of the board's orders. */
  readonly sort?: string;
  /** Names of columns with commas between them; those of JSON are always all. */
  readonly columns?: string;
}

/** Prints the watchlist, most urgent first. It reads the files only and never queries the service. */
export async function runList(session: Session, options: ListOptions): Promise<ExitCode> {
  const stage = options.stage === undefined ? null : named('stage', options.stage, stages);
  const columns = options.columns === undefined ? undefined : columnsNamed(options.columns);
  const order = options.sort === undefined ? 'urgency' : await orderNamed(options.sort);
  const { context } = session;
  if (options.json === true) return await printJson(session, options, stage, order);
  // Measuring the width of text takes longer to load than everything else that a list in JSON needs.
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
  // Indented for somebody at a terminal.
  const space = stdout.isTerminal ? 2 : 0;
  const list = listJson([], configuration.baseUrl, view);
  const textOf = (parcel: Parcel): string => JSON.stringify(parcelJson(parcel, view), null, space);
  for await (const text of parcelsText(list, inBatches(parcels, parcelsInPiece), textOf, space)) stdout.write(text);
  return exitCode.done;
}

/** How many parcels are made text, and given away, before the next. */
const parcelsInPiece = 100;

/** Whoever had parcels before looks for them here. */
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
    // What no parcel has today, one may have tomorrow: a script that asks for it is not wrong.
    if (problem.kind !== 'unmatched') throw new UsageError(sentence);
    say(context, sentence);
  }
  const zone = zoneOf(session);
  return createFilter(text, { now, zone, usual: usualStillness(parcels) });
}

/** What comes by urgency in another order, which is loaded only where it is wanted. */
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

/** The name that is meant, whatever its case. Throws a {@link UsageError} that lists all there are. */
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
