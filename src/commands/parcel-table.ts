import type { ParcelColumn } from '../board/columns.ts';
import { columnTexts, isPlainColumn, journeyText } from '../board/list/row-texts.ts';
import { expectedDay } from '../board/status/expected-day.ts';
import { freshnessLooks } from '../board/status/legend.ts';
import { courierName, instantOf, lastEventTime, parcelLook } from '../board/status/stage.ts';
import { statusWordings, type Viewing } from '../board/status/status-now.ts';
import { eventAgeText } from '../board/time/age.ts';
import { clockText } from '../board/time/zone-time.ts';
import { cellWidth, fitText } from '../lib/cells.ts';
import type { Table, TableCell, TableColumn } from '../lib/table.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { isWaitingForCredit } from '../parcels/parcel-stage.ts';
import { stageTable } from '../parcels/stages.ts';
import { lookupWarning } from '../service/status.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { inBatches } from '../store/store.ts';
import { onlyPrints } from '../system/environment.ts';

/** In cells. Null means no limit. */
export const parcelTableWidth = ({
  environment,
  stdout,
}: Pick<CommandContext, 'environment' | 'stdout'>): number | null => (onlyPrints(environment) ? null : stdout.columns);

interface ParcelTableOptions extends Viewing {
  readonly isPaused: boolean;
  /** In cells. Omitted or null means no limit. */
  readonly width?: number | null;
  /** By default, the columns depend on the width. */
  readonly columns?: readonly ParcelColumn[] | undefined;
}

type ShownColumn = ParcelColumn | 'symbol' | 'parcel';

const defaultColumns: readonly ShownColumn[] = [
  'stage',
  'number',
  'label',
  'courier',
  'status',
  'place',
  'expected',
  'last',
  'next',
];
const compact: readonly ShownColumn[] = ['symbol', 'parcel', 'courier', 'status', 'place', 'expected', 'last', 'next'];
/** In cells. */
const compactBelow = 120;
/** In cells. */
const maxLabelCells = 28;

const looks: Readonly<Record<ShownColumn, TableColumn>> = {
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
  const { columns: wanted, width = null } = viewing;
  const names = wanted ?? (width !== null && width < compactBelow ? compact : defaultColumns);
  // Columns that the user chose are the last to be dropped.
  const columns = names.map((name) => {
    const look = looks[name];
    return wanted === undefined ? look : { ...look, yields: Math.min(look.yields, 1) };
  });
  return { columns, rows: parcels.map((parcel) => row(parcel, names, viewing)) };
}

function row(parcel: Parcel, names: readonly ShownColumn[], viewing: ParcelTableOptions): readonly TableCell[] {
  const { isPaused, now, zone } = viewing;
  const { symbol, tone } = stageTable[parcelLook(parcel)];
  const { label, trackNo } = parcel;
  const wordings = statusWordings(parcel, viewing);
  const [status] = wordings;
  const cells: Readonly<Partial<Record<ShownColumn, () => TableCell>>> = {
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
      const nextPollAt = instantOf(parcel.nextPollAt);
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

/** Limits the memory that a long list takes. */
const parcelsInPiece = 100;

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
  for (const piece of inBatches(parcels, parcelsInPiece)) {
    const texts = piece.map((parcel) => JSON.stringify(jsonOf(parcel), null, space).replaceAll('\n', lineBreak));
    yield separator + lineBreak + texts.join(`,${lineBreak}`);
    separator = ',';
  }
  yield `${separator === '' && space > 0 ? '' : lineBreak.slice(0, 1 + space)}${frame.slice(end)}\n`;
}
