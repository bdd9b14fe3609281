import { ageText } from '../board/age.ts';
import { stageGlyph, stageLooks } from '../board/stage-look.ts';
import { courierName, instantOf, lastEventTime, parcelLook, parcelStatusText } from '../board/view-stage.ts';
import { clockText } from '../board/zone-time.ts';
import type { EpochMs } from '../service/clock.ts';
import { lookupDoubt } from '../service/status.ts';
import type { Parcel } from '../watchlist/parcel.ts';
import type { Style } from './session.ts';
import { renderTable, type TableCell, type TableColumn } from './table.ts';

/** How a table of parcels is drawn. */
export interface ParcelTableOptions {
  readonly now: EpochMs;
  readonly zone: string;
  /** True while nothing is asked by itself because the user said so. */
  readonly isPaused: boolean;
  readonly style: Style;
  /** Cells; null for as wide as the content. */
  readonly width: number | null;
}

const columns: readonly TableColumn[] = [
  { title: 'STAGE', yields: 0 },
  { title: 'NUMBER', yields: 0 },
  { title: 'LABEL', yields: 2 },
  { title: 'COURIER', yields: 4 },
  { title: 'STATUS', yields: 1 },
  { title: 'PLACE', yields: 5 },
  { title: 'AGE', align: 'right', yields: 3 },
  { title: 'NEXT', yields: 6 },
];

/** Parcels as an aligned table: stage, number, label, courier, status, place, age of the last event, next question. */
export function parcelTable(parcels: readonly Parcel[], options: ParcelTableOptions): string {
  return renderTable(
    { columns, rows: parcels.map((parcel) => row(parcel, options)) },
    options.width,
    options.style.paint,
  );
}

function row(parcel: Parcel, { now, zone, isPaused, style }: ParcelTableOptions): readonly TableCell[] {
  const lookName = parcelLook(parcel);
  const look = stageLooks[lookName];
  const event = lastEventTime(parcel);
  const nextPollAt = instantOf(parcel.nextPollAt);
  return [
    { text: `${stageGlyph(lookName, style.glyphs)} ${look.word}`, tone: look.tone },
    { text: parcel.trackNo },
    { text: parcel.label ?? '', bold: true },
    { text: courierName(parcel) ?? '' },
    { text: `${parcelStatusText(parcel)}${isDoubtful(parcel) ? ' (may be old)' : ''}` },
    { text: parcel.lastEvent?.address ?? '' },
    { text: event === null ? '' : `${event.certain ? '' : '~'}${ageText(event.at, now)}`, dim: true },
    { text: nextPollAt === null ? '' : isPaused ? 'paused' : clockText(nextPollAt, now, zone), dim: true },
  ];
}

/** Whether the service could not look at the courier's for this parcel's record. */
function isDoubtful({ record }: Parcel): boolean {
  return lookupDoubt(record?.trackingStatus ?? null) !== null;
}
