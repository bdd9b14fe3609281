import { sorted, sortOrders } from '../board/list/sort-orders.ts';
import { listJson, parcelJson } from '../board/parcel-json.ts';
import { forecastsOf } from '../board/status/forecast.ts';
import { cleanText } from '../lib/clean-text.ts';
import { didYouMean } from '../lib/text.ts';
import { usualStillness } from '../parcels/stillness.ts';
import { stages } from '../service/status.ts';
import { UsageError } from '../settings/errors.ts';
import { damagedWatchlist, readRows, type WatchlistView } from '../settings/session/open-stores.ts';
import { type Session, say, zoneOf } from '../settings/session/session.ts';
import { printTable } from '../settings/session/text-table.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { type ParcelColumn, parcelColumns } from './export-format.ts';
import { parcelsText, parcelTable, parcelTableWidth } from './parcel-table.ts';
import { filterOf, selectParcels } from './select-parcels.ts';

export interface ListOptions {
  readonly json?: boolean;
  readonly all?: boolean;
  readonly stage?: string;
  readonly filter?: string;
  readonly sort?: string;
  readonly columns?: string;
}

/** Reads the files only; never queries the service. */
export async function runList(session: Session, options: ListOptions): Promise<ExitCode> {
  const { configuration, context } = session;
  const { stdout } = context;
  const stage = options.stage === undefined ? null : named('stage', options.stage, stages);
  const columns = options.columns === undefined ? undefined : columnsNamed(options.columns);
  const order = options.sort === undefined ? 'urgency' : named('order', options.sort, sortOrders);
  const view = await readRows(session);
  const zone = zoneOf(session);
  const usual = usualStillness(view.parcels);
  const forecast = forecastsOf(view.parcels, { now: view.now, zone });
  const viewing = { ...view, zone, usual, forecast };
  const passes = options.filter === undefined ? undefined : filterOf(options.filter, context, viewing);
  const byUrgency = selectParcels(view.parcels, { all: options.all, stage, passes });
  const parcels = order === 'urgency' ? byUrgency : sorted(byUrgency, { order, isReversed: false }, viewing);
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
  say(context, emptyText(view));
  const damaged = view.parcels.length === 0 ? await damagedWatchlist(session.paths) : null;
  if (damaged !== null) say(context, damaged);
  return exitCode.done;
}

function columnsNamed(text: string): readonly ParcelColumn[] {
  const words = text.split(',').flatMap((word) => word.trim() || []);
  if (words.length === 0)
    throw new UsageError(`Which columns? For example: --columns ${parcelColumns.slice(1, 5).join(',')}.`);
  return [...new Set(words.map((word) => named('column', word, parcelColumns)))];
}

/** Ignores case. Throws a {@link UsageError} that lists all names. */
function named<Name extends string>(kind: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text.toLowerCase());
  if (found !== undefined) return found;
  throw new UsageError(`Unknown ${kind} "${cleanText(text)}". Use: ${names.join(', ')}.${didYouMean(text, names)}`);
}

function emptyText({ parcels }: WatchlistView): string {
  if (parcels.length === 0) return 'No parcels yet. Add one with "parcel-monitor add NUMBER".';
  return parcels.every((parcel) => parcel.archivedAt !== null)
    ? 'All parcels are archived. "parcel-monitor list --all" shows them.'
    : 'No parcel matches.';
}
