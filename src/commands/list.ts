import { findColumn, type ParcelColumn, parcelColumns } from '../board/columns.ts';
import { columnTexts, isPlainColumn, journeyText } from '../board/list/row-texts.ts';
import { sortOrders, sortParcels, urgentFirst } from '../board/list/sort-orders.ts';
import { courierName, lastEventTime, parcelLook } from '../board/parcel-facts.ts';
import { listJson, parcelJson } from '../board/parcel-json.ts';
import { expectedDay } from '../board/status/expected-delivery.ts';
import { createViewing } from '../board/status/forecast.ts';
import { statusWordings, type Viewing } from '../board/status/status-now.ts';
import { freshnessLooks } from '../board/symbols.ts';
import { clockText, eventAgeText } from '../board/time.ts';
import { findView, knownViews, parseOrder, type View } from '../board/views.ts';
import { cellWidth, fitText } from '../lib/cells.ts';
import { cleanText } from '../lib/clean-text.ts';
import { parseInstant } from '../lib/date-time.ts';
import { printTable, type Table, type TableCell, type TableColumn } from '../lib/table.ts';
import { counted, didYouMean } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { isWaitingForCredit, parcelStage } from '../parcels/parcel-state.ts';
import { stageTable } from '../parcels/stages.ts';
import { lookupWarning, stages } from '../service/status.ts';
import { UsageError } from '../settings/errors.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { damagedWatchlist, readWatchlistView, type WatchlistView } from '../settings/session/open-stores.ts';
import { printNote } from '../settings/session/output.ts';
import { type Session, zoneOf } from '../settings/session/session.ts';
import { splitIntoBatches } from '../store/store.ts';
import { isDumbTerminal } from '../system/environment.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { compileFilter, selectParcels } from './select-parcels.ts';

interface ListOptions {
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
  const stage = options.stage === undefined ? null : parseName('stage', options.stage, stages);
  const selectedView = options.view === undefined ? null : parseView(options.view, configuration.views);
  const columns = options.columns === undefined ? selectedView?.columns : parseColumns(options.columns);
  const sorting =
    options.sort === undefined
      ? (parseOrder(selectedView?.order ?? '') ?? urgentFirst)
      : { order: parseName('order', options.sort, sortOrders), isReversed: false };
  const view = await readWatchlistView(session);
  const zone = zoneOf(session);
  const viewing = { ...view, ...createViewing(view.parcels, { now: view.now, zone }) };
  const tests = [selectedView?.filter, options.filter].flatMap((text) =>
    text === undefined ? [] : compileFilter(text, context, viewing),
  );
  const passes = (parcel: Parcel): boolean =>
    (stage === null || parcelStage(parcel) === stage) && tests.every((test) => test(parcel));
  const parcels = sortParcels(selectParcels(view.parcels, { all: options.all, passes }), sorting, viewing);
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
  const archivedMatches = options.all === true ? [] : selectParcels(view.parcels, { all: true, passes });
  printNote(context, emptyText(view, archivedMatches.length));
  const damaged = view.parcels.length === 0 ? await damagedWatchlist(session.paths) : null;
  if (damaged !== null) printNote(context, damaged);
  return exitCode.done;
}

function parseColumns(text: string): readonly ParcelColumn[] {
  const words = text.split(',').flatMap((word) => word.trim() || []);
  if (words.length === 0)
    throw new UsageError(`Which columns? For example: --columns ${parcelColumns.slice(1, 4).join(',')}.`);
  return [...new Set(words.map((word) => findColumn(word) ?? parseName<ParcelColumn>('column', word, parcelColumns)))];
}

/** Ignores case. Throws a {@link UsageError} that lists the views. */
function parseView(text: string, ownViews: readonly View[]): View {
  const known = knownViews(ownViews);
  const found = findView(known, text);
  if (found !== undefined) return found;
  const names = known.map(({ name }) => name);
  throw new UsageError(`Unknown view "${cleanText(text)}". Use: ${names.join(', ')}.${didYouMean(text, names)}`);
}

/** Ignores case. Throws a {@link UsageError} that lists the names. */
function parseName<Name extends string>(kind: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text.toLowerCase());
  if (found !== undefined) return found;
  throw new UsageError(`Unknown ${kind} "${cleanText(text)}". Use: ${names.join(', ')}.${didYouMean(text, names)}`);
}

/** @param archivedCount number of matching archived parcels */
function emptyText({ parcels }: WatchlistView, archivedCount: number): string {
  if (parcels.length === 0) return 'No parcels yet. Add one with "parcel-monitor add NUMBER".';
  return parcels.every((parcel) => parcel.archivedAt !== null)
    ? 'All parcels are archived. "parcel-monitor list --all" shows them.'
    : archivedCount === 0
      ? 'No parcel matches.'
      : `No parcel matches, except ${counted(archivedCount, 'archived one')}. Add --all to list archived parcels.`;
}

/** In cells. Null means no limit. */
export const parcelTableWidth = ({
  environment,
  stdout,
}: Pick<CommandContext, 'environment' | 'stdout'>): number | null =>
  isDumbTerminal(environment) ? null : stdout.columns;

interface ParcelTableOptions extends Viewing {
  readonly isPaused: boolean;
  /** In cells. Omitted or null means no limit. */
  readonly width?: number | null;
  /** By default, the columns depend on the width. */
  readonly columns?: readonly ParcelColumn[] | undefined;
}

type ListColumn = ParcelColumn | 'symbol' | 'parcel';

const commonColumns: readonly ListColumn[] = ['courier', 'status', 'place', 'expected', 'last', 'next'];
const defaultColumns: readonly ListColumn[] = ['stage', 'number', 'label', ...commonColumns];
const compactColumns: readonly ListColumn[] = ['symbol', 'parcel', ...commonColumns];
const compactBelowCells = 120;
const maxLabelCells = 28;

const columnLayouts: Readonly<Record<ListColumn, TableColumn>> = {
  symbol: { title: '', yields: 0 },
  parcel: { title: 'PARCEL', yields: 0 },
  stage: { title: 'STAGE', yields: 0 },
  number: { title: 'NUMBER', yields: 0 },
  label: { title: 'LABEL', yields: 2 },
  courier: { title: 'COURIER', yields: 5 },
  status: { title: 'STATUS', yields: 1, minWidth: 30 },
  place: { title: 'PLACE', yields: 6 },
  expected: { title: 'EXPECTED', yields: 4 },
  last: { title: 'AGE', align: 'right', yields: 3 },
  next: { title: 'NEXT', yields: 7 },
  tags: { title: 'TAGS', yields: 1 },
  'order-number': { title: 'ORDER NO', yields: 1 },
  customer: { title: 'CUSTOMER', yields: 1 },
  journey: { title: 'JOURNEY', yields: 1 },
  days: { title: 'DAYS', align: 'right', yields: 1 },
  country: { title: 'COUNTRY', yields: 1 },
};

export function parcelTable(parcels: readonly Parcel[], viewing: ParcelTableOptions): Table {
  const { columns: chosenColumns, width = null } = viewing;
  const names = chosenColumns ?? (width !== null && width < compactBelowCells ? compactColumns : defaultColumns);
  // Columns that the user chose are the last to be dropped.
  const columns = names.map((name) => {
    const layout = columnLayouts[name];
    return chosenColumns === undefined ? layout : { ...layout, yields: Math.min(layout.yields, 1) };
  });
  return { columns, rows: parcels.map((parcel) => parcelRow(parcel, names, viewing)) };
}

function parcelRow(parcel: Parcel, names: readonly ListColumn[], viewing: ParcelTableOptions): readonly TableCell[] {
  const { isPaused, now, zone } = viewing;
  const { symbol, tone } = stageTable[parcelLook(parcel)];
  const { label, trackNo } = parcel;
  const wordings = statusWordings(parcel, viewing);
  const [status] = wordings;
  const cells: Readonly<Partial<Record<ListColumn, () => TableCell>>> = {
    symbol: () => ({ text: symbol, tone }),
    parcel: () =>
      label === null
        ? { text: trackNo }
        : { text: cellWidth(label) > maxLabelCells ? fitText(label, maxLabelCells) : label, bold: true },
    stage: () => ({ text: `${symbol} ${wordings.at(-1) ?? status}`, tone }),
    label: () => ({ text: label ?? '', bold: true }),
    courier: () => ({ text: courierName(parcel) ?? '' }),
    status: () => ({ text: `${status}${remarkText(parcel)}` }),
    expected: () => {
      const expected = expectedDay(parcel, viewing);
      return { text: expected?.full.replace(/^expected /, '') ?? '', dim: expected?.isForecast === true };
    },
    last: () => {
      const event = lastEventTime(parcel);
      return { text: event === null ? '' : eventAgeText(event, now), dim: true };
    },
    next: () => {
      const nextPollAt = parseInstant(parcel.nextPollAt);
      return { text: nextPollAt === null ? '' : isPaused ? 'paused' : clockText(nextPollAt, now, zone), dim: true };
    },
    journey: () => ({ text: journeyText(parcel) }),
  };
  return names.map(
    (name) => cells[name]?.() ?? { text: isPlainColumn(name) ? columnTexts[name](parcel, viewing) : '' },
  );
}

function remarkText(parcel: Parcel): string {
  const { failed, doubtful } = freshnessLooks;
  const isFailed = parcel.error !== null && parcel.registration !== 'rejected' && !isWaitingForCredit(parcel);
  if (isFailed && parcel.archivedAt === null) return ` (${failed.symbol} ${failed.remark})`;
  return lookupWarning(parcel.record?.trackingStatus ?? null) === null ? '' : ` (${doubtful.remark})`;
}

/** Limits the memory that a long list needs. */
const pieceSize = 100;

/** Yields `list` as JSON with these parcels. If `space` is 0, each parcel is one line, so that lists can be compared. */
export function* parcelsText<Listed extends object>(
  list: { readonly parcels: readonly object[] },
  parcels: readonly Listed[],
  jsonOf: (parcel: Listed) => object,
  space: 0 | 2,
): Generator<string> {
  const { parcels: _, ...others } = list;
  const frame = JSON.stringify({ ...others, parcels: [] }, null, space);
  const end = frame.lastIndexOf(']');
  const lineBreak = space === 0 ? '\n' : '\n    ';
  yield frame.slice(0, end);
  let separator = '';
  for (const piece of splitIntoBatches(parcels, pieceSize)) {
    const texts = piece.map((parcel) => JSON.stringify(jsonOf(parcel), null, space).replaceAll('\n', lineBreak));
    yield separator + lineBreak + texts.join(`,${lineBreak}`);
    separator = ',';
  }
  yield `${separator === '' && space > 0 ? '' : lineBreak.slice(0, 1 + space)}${frame.slice(end)}\n`;
}
