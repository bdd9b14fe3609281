import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { arrivalOf } from '../../watchlist/rules/delivery.ts';
import { parcelStatusText } from '../../watchlist/rules/status-text.ts';
import { ageText } from '../time/age.ts';
import { dayText, weekdayText, yearText } from '../time/wall-text.ts';
import { dateInZone } from '../time/zone-time.ts';
import { stageLooks } from './stage-look.ts';
import { tourOf } from './standing.ts';
import { instantOf, parcelLook } from './view-stage.ts';

/** Whose day it is. */
export interface Viewing {
  readonly now: EpochMs;
  /** The viewer's zone. */
  readonly zone: Zone;
}

/** Where a parcel stands now, in words: its status, and since when it is out for delivery or waits to be picked up. */
export function statusNow(parcel: Parcel, viewing: Viewing): string {
  return statusWordings(parcel, viewing)[0];
}

/** The word for how a parcel looks, at most ten cells: of the stage, and for one that is out for delivery of its day. */
export function lookWord(parcel: Parcel, viewing: Viewing): string {
  return statusWordings(parcel, viewing).at(-1) ?? '';
}

/** {@link statusNow}, then shorter forms of it for narrow columns that stand under the heading of the stage; the last is {@link lookWord}. */
export function statusWordings(parcel: Parcel, viewing: Viewing): readonly [string, ...string[]] {
  const look = parcelLook(parcel);
  const status = parcelStatusText(parcel);
  const { word } = stageLooks[look];
  if (look === 'out-for-delivery') return tourWordings(parcel, status, word, viewing);
  const waiting = look === 'pickup' ? waitingText(parcel, viewing.now) : null;
  return waiting === null ? [status, word] : [`${status}, ${waiting}`, waiting, word];
}

function tourWordings(
  parcel: Parcel,
  status: string,
  word: string,
  { now, zone }: Viewing,
): readonly [string, ...string[]] {
  const tour = tourOf(parcel, now, (at) => dateInZone(at, zone));
  switch (tour.kind) {
    case 'today':
      return [status, word];
    case 'postponed':
      return [status, 'Delivery postponed', 'Postponed'];
    case 'since': {
      if (tour.date === null) return [status, 'Out'];
      const since = `since ${pastDay(tour.date, dateInZone(now, zone))}`;
      return [`${status} ${since}`, `Out ${since}`, 'Out'];
    }
  }
}

/** How long a parcel has been waiting to be picked up: `waits 5 h`, `waits 2 d`; null while that is no hour, or not known. */
function waitingText(parcel: Parcel, now: EpochMs): string | null {
  const at = instantOf(arrivalOf(parcel)?.at ?? null);
  const age = at === null ? '' : ageText(at, now);
  const [, count, unit] = /^(\d+)([hdy])$/.exec(age) ?? [];
  return count === undefined ? null : `waits ${count} ${unit}`;
}

const dayMs = 24 * 60 * 60_000;

/** A day that has passed: `Wed` within six days, `12 Nov` before, with the year when that is another. */
function pastDay(date: string, today: string): string {
  const at = Date.parse(date);
  if (Date.parse(today) - at <= 6 * dayMs) return weekdayText(at);
  return date.slice(0, 4) === today.slice(0, 4) ? dayText(at) : `${dayText(at)} ${yearText(at)}`;
}
