import { expectedText } from '../../board/list/row-texts.ts';
import { freshnessLooks } from '../../board/status/freshness.ts';
import { stageLooks } from '../../board/status/stage-look.ts';
import { statusWordings, type Viewing } from '../../board/status/status-now.ts';
import { courierName, instantOf, lastEventTime, parcelLook } from '../../board/status/view-stage.ts';
import { eventAgeText } from '../../board/time/age.ts';
import { clockText } from '../../board/time/zone-time.ts';
import { lookupDoubt } from '../../service/record/status.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { isWaitingForCredit } from '../../watchlist/rules/waiting.ts';
import type { Table, TableCell, TableColumn } from './table.ts';

/** When and where a table of parcels is looked at. */
interface ParcelTableOptions extends Viewing {
  /** True while automatic checks are paused because the user said so. */
  readonly isPaused: boolean;
}

const columns: readonly TableColumn[] = [
  { title: 'STAGE', yields: 0 },
  { title: 'NUMBER', yields: 0 },
  { title: 'LABEL', yields: 2 },
  { title: 'COURIER', yields: 5 },
  { title: 'STATUS', yields: 1 },
  { title: 'PLACE', yields: 6 },
  { title: 'EXPECTED', yields: 4 },
  { title: 'AGE', align: 'right', yields: 3 },
  { title: 'NEXT', yields: 7 },
];

/** Parcels as an aligned table: stage, number, label, courier, status, place, expected delivery, age of the last event, next question. */
export function parcelTable(parcels: readonly Parcel[], viewing: ParcelTableOptions): Table {
  return { columns, rows: parcels.map((parcel) => row(parcel, viewing)) };
}

function row(parcel: Parcel, viewing: ParcelTableOptions): readonly TableCell[] {
  const { isPaused, now, zone } = viewing;
  const lookName = parcelLook(parcel);
  const look = stageLooks[lookName];
  const wordings = statusWordings(parcel, viewing);
  const [status] = wordings;
  const expected = expectedText(parcel, viewing);
  const event = lastEventTime(parcel);
  const nextPollAt = instantOf(parcel.nextPollAt);
  return [
    { text: `${look.symbol} ${wordings.at(-1) ?? status}`, tone: look.tone },
    { text: parcel.trackNo },
    { text: parcel.label ?? '', bold: true },
    { text: courierName(parcel) ?? '' },
    { text: `${status}${remarkOf(parcel)}` },
    { text: parcel.lastEvent?.address ?? '' },
    { text: expected?.full.replace(/^expected /, '') ?? '' },
    { text: event === null ? '' : eventAgeText(event, now), dim: true },
    { text: nextPollAt === null ? '' : isPaused ? 'paused' : clockText(nextPollAt, now, zone), dim: true },
  ];
}

/** Why the status may not be how things are now: the last check failed, or the service could not ask the courier. */
function remarkOf(parcel: Parcel): string {
  const { failed, doubtful } = freshnessLooks;
  const isFailed = parcel.error !== null && parcel.registration !== 'rejected' && !isWaitingForCredit(parcel);
  if (isFailed && parcel.archivedAt === null) return ` (${failed.sign} ${failed.remark})`;
  return lookupDoubt(parcel.record?.trackingStatus ?? null) === null ? '' : ` (${doubtful.remark})`;
}
