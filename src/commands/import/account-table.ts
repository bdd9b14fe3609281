import { type LookName, stageLooks } from '../../board/status/stage-look.ts';
import { lookWord, type Viewing } from '../../board/status/status-now.ts';
import { parcelLook } from '../../board/status/view-stage.ts';
import { clockText } from '../../board/time/zone-time.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import { parseServiceTime, type ServiceClock } from '../../service/clock/service-clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { TrackingRecord } from '../../service/record/record.ts';
import { cleanText } from '../../service/text/clean-text.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { renderTable, type TableCell, type TableColumn } from '../output/table.ts';
import type { Style } from '../session/session.ts';

/** What a number of the account is to the watchlist; `unusable` cannot be watched. */
export type HeldState = 'new' | 'watched' | 'archived' | 'unusable';

/** A number of the account, as it is shown. */
export interface HeldNumber {
  readonly state: HeldState;
  readonly trackNo: string;
  readonly courier: string;
  /** Our label, else the order number that the service holds, else its remark. */
  readonly name: string;
  readonly stage: LookName;
  /** What the list would call its stage: `Out today`, `Postponed`. */
  readonly stageWord: string;
  /** On the service clock, as it wrote it; null when it did not. */
  readonly createTime: string | null;
}

/** How they are shown. */
interface HeldTableOptions {
  readonly now: EpochMs;
  readonly zone: Zone;
  readonly serviceClock: ServiceClock;
  readonly style: Style;
  /** Cells; null for as wide as the content. */
  readonly width: number | null;
}

/** What a number of the account is held against. */
interface HeldFound {
  readonly state: HeldState;
  /** The parcel that it is here; null when it is none. */
  readonly watched: Parcel | null;
  /** The parcel that it would be, with its record. */
  readonly parcel: Parcel;
}

/** A number as it is shown. Keeps nothing else of the record. */
export function heldNumber(record: TrackingRecord, found: HeldFound, viewing: Viewing): HeldNumber {
  const { courierCode, createTime, received, trackNo } = record;
  const { parcel, state, watched } = found;
  const texts = [watched?.label, received['orderNo'], received['remark']];
  const name = texts.find((text) => typeof text === 'string' && text !== '');
  return {
    state,
    trackNo,
    courier: courierCode ?? '',
    name: typeof name === 'string' ? cleanText(name) : '',
    stage: parcelLook(parcel),
    stageWord: lookWord(parcel, viewing),
    createTime,
  };
}

const columns: readonly TableColumn[] = [
  { title: 'HERE', yields: 0 },
  { title: 'NUMBER', yields: 0 },
  { title: 'COURIER', yields: 1 },
  { title: 'STAGE', yields: 2 },
  { title: 'NAME', yields: 1 },
  { title: 'REGISTERED', yields: 3 },
];

/** Numbers of the account as an aligned table: what they are here, number, courier, stage, name, when registered. */
export function heldTable(numbers: readonly HeldNumber[], options: HeldTableOptions): string {
  const { style, width } = options;
  return renderTable({ columns, rows: numbers.map((number) => row(number, options)) }, width, style.paint);
}

function row(
  { courier, createTime, name, stage, stageWord, state, trackNo }: HeldNumber,
  { now, serviceClock, zone }: HeldTableOptions,
): readonly TableCell[] {
  const at = parseServiceTime(createTime, serviceClock);
  return [
    { text: state, ...(state === 'new' ? { bold: true } : { dim: true }) },
    { text: trackNo },
    { text: courier },
    { text: `${stageLooks[stage].symbol} ${stageWord}`, tone: stageLooks[stage].tone },
    { text: name },
    { text: at === null ? '' : clockText(at, now, zone), dim: true },
  ];
}
