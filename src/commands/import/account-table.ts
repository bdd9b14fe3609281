import { stageLooks } from '../../board/status/stage-look.ts';
import { lookWord, type Viewing } from '../../board/status/status-now.ts';
import { parcelLook } from '../../board/status/view-stage.ts';
import { clockText } from '../../board/time/zone-time.ts';
import { parseServiceTime, type ServiceClock } from '../../service/clock/service-clock.ts';
import type { TrackingRecord } from '../../service/record/record.ts';
import { cleanText } from '../../service/text/clean-text.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { TableCell, TableColumn } from '../output/table.ts';

/** What a number of the account is to the watchlist; `unusable` cannot be watched. */
export type HeldState = 'new' | 'watched' | 'archived' | 'unusable';

/** When and where numbers of the account are looked at. */
export interface HeldViewing extends Viewing {
  readonly serviceClock: ServiceClock;
}

/** What a number of the account is held against. */
interface HeldFound {
  readonly state: HeldState;
  /** The parcel that it is here; null when it is none. */
  readonly watched: Parcel | null;
  /** The parcel that it would be, with its record. */
  readonly parcel: Parcel;
}

/** The columns of a number of the account. */
export const heldColumns: readonly TableColumn[] = [
  { title: 'HERE', yields: 0 },
  { title: 'NUMBER', yields: 0 },
  { title: 'COURIER', yields: 1 },
  { title: 'STAGE', yields: 2 },
  { title: 'NAME', yields: 1 },
  { title: 'REGISTERED', yields: 3 },
];

/**
 * A number as it is shown, by its columns; its stage is called as in the list, its name is our label, else the order number that the
 * service holds, else its remark. Keeps nothing else of the record.
 */
export function heldRow(
  { courierCode, createTime, received, trackNo }: TrackingRecord,
  { parcel, state, watched }: HeldFound,
  viewing: HeldViewing,
): readonly TableCell[] {
  const texts = [watched?.label, received['orderNo'], received['remark']];
  const name = texts.find((text) => typeof text === 'string' && text !== '');
  const look = stageLooks[parcelLook(parcel)];
  const at = parseServiceTime(createTime, viewing.serviceClock);
  return [
    { text: state, ...(state === 'new' ? { bold: true } : { dim: true }) },
    { text: trackNo },
    { text: courierCode ?? '' },
    { text: `${look.symbol} ${lookWord(parcel, viewing)}`, tone: look.tone },
    { text: typeof name === 'string' ? cleanText(name) : '' },
    { text: at === null ? '' : clockText(at, viewing.now, viewing.zone), dim: true },
  ];
}
