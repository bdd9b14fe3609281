import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStatusText } from '../../watchlist/rules/status-text.ts';
import { checkpointTime, type TimeMode } from '../time/checkpoint-time.ts';
import { courierName } from './view-stage.ts';

/** A parcel in one line, for a message to somebody: label, number, courier, status, place and time of the last event. */
export function parcelSummary(parcel: Parcel, mode: TimeMode, viewerZone: Zone): string {
  const { label, lastEvent, trackNo } = parcel;
  const parts = [label, trackNo, courierName(parcel), parcelStatusText(parcel), lastEvent?.address ?? null];
  if (lastEvent !== null) {
    const { clock, date, zoneMark } = checkpointTime(lastEvent, mode, viewerZone);
    parts.push([date, clock, date === null ? '' : zoneMark].filter(Boolean).join(' '));
  }
  return parts.filter((part) => part !== null && part !== '').join(' · ');
}
