import { columnNamed, type ParcelColumn, parcelColumns } from '../board/columns.ts';
import { sorted, sortOrders, urgentFirst } from '../board/list/sort-orders.ts';
import { listJson, parcelJson } from '../board/parcel-json.ts';
import { viewingOf } from '../board/status/forecast.ts';
import { knownViews, readOrder, type View, viewNamed } from '../board/views.ts';
import { cleanText } from '../lib/clean-text.ts';
import { printTable } from '../lib/table.ts';
import { counted, didYouMean } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStage } from '../parcels/parcel-stage.ts';
import { stages } from '../service/status.ts';
import { UsageError } from '../settings/errors.ts';
import { damagedWatchlist, readRows, type WatchlistView } from '../settings/session/open-stores.ts';
import { printNote, type Session, zoneOf } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { parcelsText, parcelTable, parcelTableWidth } from './parcel-table.ts';
import { filterOf, selectParcels } from './select-parcels.ts';

export interface ListOptions {
  readonly json?: boolean;
  readonly all?: boolean;
  readonly stage?: string;
  readonly filter?: string;
  readonly sort?: string;
  readonly columns?: string;
  readonly view?: string;
}

/** Only reads the store. Never queries the service. */
export async function runList(session: Session, options: ListOptions): Promise<ExitCode> {
  const { configuration, context } = session;
  const { stdout } = context;
  const stage = options.stage === undefined ? null : named('stage', options.stage, stages);
  const chosen = options.view === undefined ? null : chosenView(options.view, configuration.views);
  const columns = options.columns === undefined ? chosen?.columns : columnsNamed(options.columns);
  const sorting =
    options.sort === undefined
      ? (readOrder(chosen?.order ?? '') ?? urgentFirst)
      : { order: named('order', options.sort, sortOrders), isReversed: false };
  const view = await readRows(session);
  const zone = zoneOf(session);
  const viewing = { ...view, ...viewingOf(view.parcels, { now: view.now, zone }) };
  const tests = [chosen?.filter, options.filter].flatMap((text) =>
    text === undefined ? [] : filterOf(text, context, viewing),
  );
  const passes = (parcel: Parcel): boolean =>
    (stage === null || parcelStage(parcel) === stage) && tests.every((test) => test(parcel));
  const parcels = sorted(selectParcels(view.parcels, { all: options.all, passes }), sorting, viewing);
  if (options.json === true) {
    const list = listJson([], configuration.baseUrl, view);
    const space = stdout.isTerminal ? 2 : 0;
    for (const text of parcelsText(list, parcels, (parcel) => parcelJson(parcel, viewing), space)) stdout.write(text);
    return exitCode.done;
  }
  if (parcels.length > 0) {
    printTable(session, parcelTable(parcels, { ...viewing, width: parcelTableWidth(context), columns }));
    return exitCode.done;
  }
  const inArchive = options.all === true ? [] : selectParcels(view.parcels, { all: true, passes });
  printNote(context, emptyText(view, inArchive.length));
  const damaged = view.parcels.length === 0 ? await damagedWatchlist(session.paths) : null;
  if (damaged !== null) printNote(context, damaged);
  return exitCode.done;
}

function columnsNamed(text: string): readonly ParcelColumn[] {
  const words = text.split(',').flatMap((word) => word.trim() || []);
  if (words.length === 0)
    throw new UsageError(`Which columns? For example: --columns ${parcelColumns.slice(1, 4).join(',')}.`);
  return [...new Set(words.map((word) => columnNamed(word) ?? named<ParcelColumn>('column', word, parcelColumns)))];
}

/** Ignores case. Throws a {@link UsageError} that lists the views. */
function chosenView(text: string, own: readonly View[]): View {
  const known = knownViews(own);
  const found = viewNamed(known, text);
  if (found !== undefined) return found;
  const names = known.map(({ name }) => name);
  throw new UsageError(`Unknown view "${cleanText(text)}". Use: ${names.join(', ')}.${didYouMean(text, names)}`);
}

/** Ignores case. Throws a {@link UsageError} that lists the names. */
function named<Name extends string>(kind: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text.toLowerCase());
  if (found !== undefined) return found;
  throw new UsageError(`Unknown ${kind} "${cleanText(text)}". Use: ${names.join(', ')}.${didYouMean(text, names)}`);
}

/** @param inArchive number of matching archived parcels */
function emptyText({ parcels }: WatchlistView, inArchive: number): string {
  if (parcels.length === 0) return 'No parcels yet. Add one with "parcel-monitor add NUMBER".';
  return parcels.every((parcel) => parcel.archivedAt !== null)
    ? 'All parcels are archived. "parcel-monitor list --all" shows them.'
    : inArchive === 0
      ? 'No parcel matches.'
      : `No parcel matches, except ${counted(inArchive, 'archived one')}. Add --all to list archived parcels.`;
}
