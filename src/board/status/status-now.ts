import { dayMs, type EpochMs, minuteMs } from '../../lib/clock.ts';
import { parseInstant, parseOffset, type Zone } from '../../lib/date-time.ts';
import { arrivalOf, arrivedBy, type Viewer } from '../../parcels/delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { parcelStage, parcelStatusParts, type StatusParts, shownStage } from '../../parcels/parcel-state.ts';
import { isSnoozed } from '../../parcels/snooze.ts';
import { type ShownStage, stageTable } from '../../parcels/stages.ts';
import { quietSpell, type UsualStillness } from '../../parcels/usual-times.ts';
import { isProblem } from '../../service/status.ts';
import { localTime } from '../../service/timeline-order.ts';
import { courierName, lastEventRank, parcelLook } from '../parcel-facts.ts';
import type { PhraseBook } from '../phrase-book.ts';
import { ageText, dayInZone, dayText, weekdayText, yearText } from '../time.ts';
import type { Forecasts } from './forecast.ts';

/**
 * Returns the sort key within a stage, greatest first: the newest event, or the waiting time at a pick-up point.
 * @param stage the parcel's stage, if it is already known
 */
export function urgencyWithinStage(parcel: Parcel, stage: ShownStage = parcelStage(parcel)): number {
  const eventAt = lastEventRank(parcel) ?? Number.NEGATIVE_INFINITY;
  return stage === 'pickup' ? -(arrivedBy(parcel) ?? eventAt) : eventAt;
}

type Tour =
  /** An event in the future also counts as today. */
  | { readonly kind: 'today' }
  /** The recipient asked for a later day, or a second attempt follows. */
  | { readonly kind: 'postponed' }
  /** The local day of the event, in days since 1970. Null if there is no such event. */
  | { readonly kind: 'since'; readonly day: number | null };

interface TourDay {
  /** Days since 1970. */
  readonly day: number;
  /** UTC offset of the clock that the day is on, in minutes. Null means the viewer's clock. */
  readonly offset: number | null;
}

/** Returns the local day of the out-for-delivery event, or null if there isn't one or its time is unknown. */
function eventDay(parcel: Parcel, zone: Zone): TourDay | null {
  const event = arrivalOf(parcel);
  if (event === null) return null;
  const at = parseInstant(event.at);
  if (at === null) {
    const wall = localTime(event);
    return wall === null ? null : { day: dayAtOffset(wall, 0), offset: null };
  }
  const offset = parseOffset(event.offset);
  return { day: offset === null ? dayInZone(at, zone) : dayAtOffset(at, offset), offset };
}

/**
 * Returns the day on which a parcel is out for delivery: the local day of the event, or the day of the response in the
 * viewer's zone if there is no such event.
 */
export function findTour(parcel: Parcel, { now, zone }: Viewer): Tour {
  const { checkedAt, lastEvent, record } = parcel;
  if ((record?.transitSubStatus ?? lastEvent?.subStatus) === 'WAITING_DELIVERY_03') return { kind: 'postponed' };
  const { day, offset } = eventDay(parcel, zone) ?? { day: null, offset: null };
  const today = offset === null ? dayInZone(now, zone) : dayAtOffset(now, offset);
  const respondedAt = parseInstant(checkedAt);
  const lastDay = day ?? (respondedAt === null ? null : dayInZone(respondedAt, zone));
  return lastDay !== null && lastDay >= today ? { kind: 'today' } : { kind: 'since', day };
}

/**
 * Returns the stage that a parcel counts towards: if it has been out for delivery since an earlier day, it counts as in
 * transit.
 */
export function countedStage(parcel: Parcel, viewer: Viewer): ShownStage {
  const stage = shownStage(parcel);
  return stage === 'out-for-delivery' && findTour(parcel, viewer).kind !== 'today' ? 'in-transit' : stage;
}

/** Returns the day of an instant at a UTC offset in minutes, in days since 1970. */
const dayAtOffset = (at: EpochMs, offsetMinutes: number): number => Math.floor((at + offsetMinutes * minuteMs) / dayMs);

export interface Viewing extends Viewer {
  /** Usual days without movement by courier. If absent, no parcel counts as quiet. */
  readonly usual?: UsualStillness;
  /** Absent to show no forecasts. */
  readonly forecast?: Forecasts;
  /** Translates courier texts into English. Null or absent shows them as received. */
  readonly phraseBook?: PhraseBook | null;
}

/**
 * Returns the current status in words, including how long the parcel has been out for delivery or waiting for pick-up.
 */
export function statusNow(parcel: Parcel, viewing: Viewing): string {
  return statusWordings(parcel, viewing)[0];
}

/** Number of parcels in each stage, where each parcel counts once, and number of parcels with new changes. */
export interface StageCounts {
  readonly found: ReadonlyMap<ShownStage, number>;
  readonly unread: number;
}

export function stageCounts({ parcels, now, zone }: Viewer & { readonly parcels: readonly Parcel[] }): StageCounts {
  const found = new Map<ShownStage, number>();
  let unread = 0;
  for (const parcel of parcels) {
    if (parcel.archivedAt !== null || isSnoozed(parcel, now)) continue;
    const stage = countedStage(parcel, { now, zone });
    found.set(stage, (found.get(stage) ?? 0) + 1);
    if (parcel.unread !== undefined) unread += 1;
  }
  return { found, unread };
}

/** Returns the stage in at most ten cells, including the day if the parcel is out for delivery. */
export function shortStatus(parcel: Parcel, viewing: Viewing): string {
  return statusWordings(parcel, viewing).at(-1) ?? '';
}

/** Returns {@link statusNow} and shorter wordings, the last being {@link shortStatus}. */
export function statusWordings(parcel: Parcel, viewing: Viewing): readonly [string, ...string[]] {
  const look = parcelLook(parcel);
  const parts = parcelStatusParts(parcel);
  const stageWord = stageTable[look].short;
  if (look === 'pickup') return pickupWordings(parcel, parts, stageWord, viewing.now);
  const wordings: readonly [string, ...string[]] =
    look === 'out-for-delivery'
      ? tourWordings(parcel, parts, stageWord, viewing)
      : [fullText(parts), ...shortTexts(parts), stageWord];
  const quiet = quietText(parcel, viewing);
  if (quiet === null) return wordings;
  return [`${wordings[0]}, ${quiet.whole}`, quiet.whole, quiet.short, wordings.at(-1) ?? stageWord];
}

const fullText = ({ suffix, main }: StatusParts): string => `${main}${suffix}`;
const shortTexts = ({ short }: StatusParts): readonly string[] => (short === null ? [] : [short]);

/** Urgency that the stage does not express: a long wait, no news, or a problem in the sub-status. */
export type Loudness = 'usual' | 'loud' | 'urgent';

export function loudness(parcel: Parcel, viewing: Viewing): Loudness {
  const look = parcelLook(parcel);
  if (look === 'pickup') {
    const days = daysAtPickUpPoint(parcel, viewing.now) ?? 0;
    return days >= urgentDays ? 'urgent' : days >= loudDays ? 'loud' : 'usual';
  }
  const hasProblem = parcel.registration !== 'rejected' && isProblem(parcel.record?.transitSubStatus ?? null);
  return (hasProblem && stageTable[look].tone === 'moving') || quietText(parcel, viewing) !== null ? 'loud' : 'usual';
}

/** `quiet 5 d, usually 2`, and the same without the usual days. Null if the parcel is not quiet. */
function quietText(parcel: Parcel, { now, usual }: Viewing): { readonly whole: string; readonly short: string } | null {
  const quiet = quietSpell(parcel, now, usual);
  if (quiet === null) return null;
  const short = `quiet ${quiet.days} d`;
  return { whole: `${short}, usually ${quiet.usualDays}`, short };
}

function tourWordings(
  parcel: Parcel,
  parts: StatusParts,
  stageWord: string,
  viewing: Viewing,
): readonly [string, ...string[]] {
  const { now, zone } = viewing;
  const tour = findTour(parcel, viewing);
  const status = fullText(parts);
  const short = shortTexts(parts);
  switch (tour.kind) {
    case 'today':
      return [status, ...short, `${stageWord} today`];
    case 'postponed':
      return [status, ...short, 'Delivery postponed', 'Postponed'];
    case 'since': {
      if (tour.day === null) return [status, ...short, stageWord];
      const since = `since ${pastDay(tour.day, dayInZone(now, zone))}`;
      return [`${parts.main} ${since}${parts.suffix}`, ...short, `Out ${since}`, stageWord];
    }
  }
}

/** Returns a sentence that says how long a parcel has been quiet, or null if it is not. */
export function quietSentence(parcel: Parcel, { now, usual }: Pick<Viewing, 'now' | 'usual'>): string | null {
  const quiet = quietSpell(parcel, now, usual);
  if (quiet === null) return null;
  const days = quiet.usualDays === 1 ? 'a day' : `${quiet.usualDays} days`;
  return `Quiet for ${quiet.days} days: ${courierName(parcel)} parcels usually move within ${days}.`;
}

/** Days at a pick-up point. Couriers return parcels after one or two weeks. */
const loudDays = 3;
const urgentDays = 7;

function pickupWordings(
  parcel: Parcel,
  parts: StatusParts,
  stageWord: string,
  now: EpochMs,
): readonly [string, ...string[]] {
  const { main, suffix } = parts;
  const days = daysAtPickUpPoint(parcel, now) ?? 0;
  if (days >= loudDays) {
    const waiting = `waiting ${days} days`;
    return [
      `${days >= urgentDays ? 'Collect soon' : main}, ${waiting}${suffix}`,
      ...shortTexts(parts),
      waiting,
      `waiting ${days} d`,
      stageWord,
    ];
  }
  const waiting = waitingText(parcel, now);
  return waiting === null
    ? [fullText(parts), ...shortTexts(parts), stageWord]
    : [`${main}, ${waiting}${suffix}`, ...shortTexts(parts), waiting, stageWord];
}

/** Returns the minimum number of whole days since the parcel became ready for pick-up, or null if unknown. */
function daysAtPickUpPoint(parcel: Parcel, now: EpochMs): number | null {
  const at = arrivedBy(parcel);
  return at === null ? null : Math.max(0, Math.floor((now - at) / dayMs));
}

/** `waiting 5 h`, `waiting 2 d`. Null if unknown or less than an hour. */
function waitingText(parcel: Parcel, now: EpochMs): string | null {
  const at = arrivedBy(parcel);
  const [, count, unit] = /^(\d+)([hd])$/.exec(at === null ? '' : ageText(at, now)) ?? [];
  return count === undefined ? null : `waiting ${count} ${unit}`;
}

/** Names a past day: `Wed` within six days, otherwise `12 Nov`, with the year if that differs. */
function pastDay(day: number, today: number): string {
  const wall = day * dayMs;
  if (today - day <= 6) return weekdayText(wall);
  return yearText(wall) === yearText(today * dayMs) ? dayText(wall) : `${dayText(wall)} ${yearText(wall)}`;
}
