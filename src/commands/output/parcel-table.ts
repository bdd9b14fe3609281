import { expectedWording } from '../../board/status/expected-wording.ts';
import { stageLooks } from '../../board/status/stage-look.ts';
import { statusWordings, type Viewing } from '../../board/status/status-now.ts';
import { courierName, instantOf, lastEventTime, parcelLook } from '../../board/status/view-stage.ts';
import { ageText } from '../../board/time/age.ts';
import { clockText } from '../../board/time/zone-time.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import { lookupDoubt } from '../../service/record/status.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { awaitedDelivery } from '../../watchlist/rules/awaited-delivery.ts';
import { noUsualStillness, type UsualStillness } from '../../watchlist/rules/usual-stillness.ts';
import type { Style } from '../session/session.ts';
import { renderTable, type TableCell, type TableColumn } from './table.ts';

/** How a table of parcels is drawn. */
interface ParcelTableOptions {
  readonly now: EpochMs;
  readonly zone: Zone;
  /** For how long parcels usually stand still; none is quiet when left out. */
  readonly usual?: UsualStillness;
  /** True while automatic checks are paused because the user said so. */
  readonly isPaused: boolean;
  readonly style: Style;
  /** Cells; null for as wide as the content. */
  readonly width: number | null;
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
export function parcelTable(parcels: readonly Parcel[], options: ParcelTableOptions): string {
  const { now, usual = noUsualStillness, zone } = options;
  const viewing = { now, usual, zone };
  return renderTable(
    { columns, rows: parcels.map((parcel) => row(parcel, viewing, options.isPaused)) },
    options.width,
    options.style.paint,
  );
}

function row(parcel: Parcel, viewing: Viewing, isPaused: boolean): readonly TableCell[] {
  const { now, zone } = viewing;
  const lookName = parcelLook(parcel);
  const look = stageLooks[lookName];
  const wordings = statusWordings(parcel, viewing);
  const [status] = wordings;
  const awaited = awaitedDelivery(parcel);
  const expected = awaited === null ? null : expectedWording(awaited, viewing);
  const event = lastEventTime(parcel);
  const nextPollAt = instantOf(parcel.nextPollAt);
  return [
    { text: `${look.symbol} ${wordings.at(-1) ?? status}`, tone: look.tone },
    { text: parcel.trackNo },
    { text: parcel.label ?? '', bold: true },
    { text: courierName(parcel) ?? '' },
    { text: `${status}${isDoubtful(parcel) ? ' (may be old)' : ''}` },
    { text: parcel.lastEvent?.address ?? '' },
    { text: expected?.full.replace(/^expected /, '') ?? '' },
    { text: event === null ? '' : `${event.certain ? '' : '~'}${ageText(event.at, now)}`, dim: true },
    { text: nextPollAt === null ? '' : isPaused ? 'paused' : clockText(nextPollAt, now, zone), dim: true },
  ];
}

/** Whether the service could not look at the courier's for this parcel's record. */
function isDoubtful({ record }: Parcel): boolean {
  return lookupDoubt(record?.trackingStatus ?? null) !== null;
}
