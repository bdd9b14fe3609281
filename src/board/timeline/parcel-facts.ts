import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { arrivalOf, deliveredLocal } from '../../watchlist/rules/delivery.ts';
import type { Viewer } from '../../watchlist/rules/late-delivery.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { cut } from '../text/cells.ts';
import { counted } from '../text/counted.ts';
import { checkpointTime, type TimeMode } from '../time/checkpoint-time.ts';
import { pastDayName } from '../time/zone-time.ts';
import { orderNoOf, remarkOf } from './merchant-notes.ts';

/** Cells of a text that people wrote; a remark may be as long as a page. */
const longestText = 160;

/** Facts about a parcel besides its events, as phrases: delivery, who signed, what it is, how it was sent, what a merchant noted. */
export function factPhrases(parcel: Parcel, { now, zone }: Viewer, mode: TimeMode = 'event'): string[] {
  const delivered = deliveredPhrase(parcel, now, zone, mode);
  return [...(delivered === null ? [] : [delivered]), ...lastingPhrases(parcel)];
}

/** {@link factPhrases} that the passing of time does not change. */
export function lastingPhrases(parcel: Parcel): string[] {
  const { merchant = {}, record } = parcel;
  if (record === null && merchant.orderNo === undefined && merchant.remark === undefined) return [];
  // A text that was cleaned to nothing is left out.
  const { dimensions, pieces, serviceCode, signedBy, weight } = record ?? {};
  const orderNo = orderNoOf(parcel);
  const remark = remarkOf(parcel);
  return [
    !signedBy ? null : `signed by ${signedBy}`,
    pieces === undefined ? null : counted(pieces, 'piece'),
    !weight ? null : `weight ${weight}`,
    !dimensions ? null : `size ${dimensions}`,
    !serviceCode ? null : `service ${serviceCode}`,
    orderNo === null ? null : `order ${orderNo}`,
    remark === null ? null : `remark: ${remark}`,
  ]
    .filter((phrase) => phrase !== null)
    .map((phrase) => cut(phrase, longestText));
}

/** When it was delivered, on the clock of a mode; null where that is not known, or it was not. */
export function deliveredPhrase(parcel: Parcel, now: EpochMs, zone: Zone, mode: TimeMode = 'event'): string | null {
  const delivery = parcelStage(parcel) === 'delivered' ? arrivalOf(parcel) : null;
  if (delivery === null) {
    const day = /^\d{4}-\d{2}-\d{2}/.exec(deliveredLocal(parcel) ?? '')?.[0];
    return day === undefined ? null : `delivered ${pastDayName(day, now, zone)}`;
  }
  const { clock, date, zoneMark } = checkpointTime(delivery, mode, zone);
  if (date === null) return null;
  return ['delivered', pastDayName(date, now, zone), clock, zoneMark].filter((part) => part).join(' ');
}
