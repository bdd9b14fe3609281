import { dayMs, type EpochMs, minuteMs } from '../../lib/clock.ts';
import { parseOffset } from '../../lib/date-time.ts';
import { type ArrivalEvent, arrivalOf, type Standing } from '../../parcels/delivery.ts';
import type { Viewer } from '../../parcels/expected-delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { parcelStage, parcelStatusWords, type StatusWords } from '../../parcels/parcel-stage.ts';
import { type ShownStage, stageTable } from '../../parcels/stages.ts';
import { quietSpell, type UsualStillness } from '../../parcels/stillness.ts';
import type { Checkpoint } from '../../service/record.ts';
import { isProblem } from '../../service/status.ts';
import { wallOf } from '../../service/timeline-order.ts';
import { ageText } from '../time/age.ts';
import { dayInZone, dayText, weekdayText, yearText } from '../time/zone-time.ts';
import { arrivedBy, courierName, instantOf, lastEventRank, parcelLook } from './stage.ts';

/** The day on which an instant falls for the viewer, in days since 1970; called only where it is needed. */
export type ViewerDay = (at: EpochMs) => number;

/**
 * What orders parcels of one stage, the greatest first: the instant of the newest event; of those that wait to be picked up,
 * the longest wait.
 * @param stage the parcel's, where that is known
 */
export function urgencyWithinStage(parcel: Parcel, stage: ShownStage = parcelStage(parcel)): number {
  const eventAt = lastEventRank(parcel) ?? Number.NEGATIVE_INFINITY;
  return stage === 'pickup' ? -(arrivedBy(parcel) ?? eventAt) : eventAt;
}

export interface TourFacts<Event extends ArrivalEvent = Pick<Checkpoint, 'at' | 'local' | 'offset' | 'subStatus'>> {
  readonly lastEvent: Event | null;
  readonly record: (Standing & { readonly arrival?: Event }) | null;
  /** When the service last gave a good answer, ISO 8601 UTC; null for never. */
  readonly checkedAt: string | null;
}

type Tour =
  /** By {@link tourDay}. */
  | { readonly kind: 'today' }
  /** The recipient asked for a later day, or a second attempt follows. */
  | { readonly kind: 'postponed' }
  /** By an event of another day where it happened, in days since 1970; null when no event says since when. */
  | { readonly kind: 'since'; readonly day: number | null };

/** The day of a tour, whatever day it is now. */
interface TourDay {
  /** In days since 1970; null when nothing says when. */
  readonly day: number | null;
  /** Minutes that the clock of that day is ahead of UTC; null for the viewer's. */
  readonly offset: number | null;
}

/**
 * On what day a parcel is out for delivery; null for one that is postponed. It is the day of the event that says so, where it
 * happened. Where no event says so, the service's status does, on the viewer's day on which the service said it.
 */
function tourDay(parcel: TourFacts, viewerDay: ViewerDay): TourDay | null {
  const { checkedAt, lastEvent, record } = parcel;
  if ((record?.transitSubStatus ?? lastEvent?.subStatus) === 'WAITING_DELIVERY_03') return null;
  const told = eventDay(parcel, viewerDay);
  if (told !== null) return told;
  const said = instantOf(checkedAt);
  return { day: said === null ? null : viewerDay(said), offset: null };
}

/** The day of the event that says that a parcel is out for delivery; null where none does, or it has no time. */
function eventDay(parcel: TourFacts, viewerDay: ViewerDay): TourDay | null {
  const event = arrivalOf(parcel);
  if (event === null) return null;
  const at = instantOf(event.at);
  if (at === null) {
    const wall = wallOf(event);
    return wall === null ? null : { day: dayAtOffset(wall, 0), offset: null };
  }
  const offset = parseOffset(event.offset);
  return { day: offset === null ? viewerDay(at) : dayAtOffset(at, offset), offset };
}

export function tourOf(parcel: TourFacts, now: EpochMs, viewerDay: ViewerDay): Tour {
  const tour = tourDay(parcel, viewerDay);
  if (tour === null) return { kind: 'postponed' };
  const today = tour.offset === null ? viewerDay(now) : dayAtOffset(now, tour.offset);
  // An event that is ahead of our clock is no old one.
  if (tour.day !== null && tour.day >= today) return { kind: 'today' };
  return { kind: 'since', day: eventDay(parcel, viewerDay)?.day ?? null };
}

/** The stage under which a parcel is counted: what is out for delivery and does not come today is still on its way. */
export function countedStage(stage: ShownStage, parcel: TourFacts, now: EpochMs, viewerDay: ViewerDay): ShownStage {
  return stage === 'out-for-delivery' && tourOf(parcel, now, viewerDay).kind !== 'today' ? 'in-transit' : stage;
}

/** The day of an instant on a clock that is so many minutes ahead of UTC, in days since 1970. */
const dayAtOffset = (at: EpochMs, offsetMinutes: number): number => Math.floor((at + offsetMinutes * minuteMs) / dayMs);

/** The first instant of the next day on a clock that is so many minutes ahead of UTC. */
export function nextDayAtOffset(now: EpochMs, offsetMinutes: number): EpochMs {
  return (dayAtOffset(now, offsetMinutes) + 1) * dayMs - offsetMinutes * minuteMs;
}

/** Whose day it is, and what is usual then. */
export interface Viewing extends Viewer {
  /** For how long parcels usually stand still; none is called quiet when left out. */
  readonly usual?: UsualStillness;
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
  const words = parcelStatusWords(parcel);
  const word = stageTable[look].short;
  if (look === 'pickup') return pickupWordings(parcel, words, word, viewing.now);
  const wordings: readonly [string, ...string[]] =
    look === 'out-for-delivery'
      ? tourWordings(parcel, words, word, viewing)
      : [wholeOf(words), ...shortOf(words), word];
  const quiet = quietText(parcel, viewing);
  if (quiet === null) return wordings;
  return [`${wordings[0]}, ${quiet.whole}`, quiet.whole, quiet.short, wordings.at(-1) ?? word];
}

const wholeOf = ({ besides, main }: StatusWords): string => `${main}${besides}`;
const shortOf = ({ short }: StatusWords): readonly string[] => (short === null ? [] : [short]);

/** How much a parcel needs the user that is at no stage that says so: it waits to be picked up for long, stands still, or its sub-status names a problem. */
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

/** `quiet 5 d, usually 2`, and without what is usual; null for a parcel that is not quiet. */
function quietText(parcel: Parcel, { now, usual }: Viewing): { readonly whole: string; readonly short: string } | null {
  const spell = usual === undefined ? null : quietSpell(parcel, now, usual);
  if (spell === null) return null;
  const short = `quiet ${spell.days} d`;
  return { whole: `${short}, usually ${spell.usualDays}`, short };
}

function tourWordings(
  parcel: Parcel,
  words: StatusWords,
  word: string,
  { now, zone }: Viewing,
): readonly [string, ...string[]] {
  const tour = tourOf(parcel, now, (at) => dayInZone(at, zone));
  const status = wholeOf(words);
  const short = shortOf(words);
  switch (tour.kind) {
    case 'today':
      return [status, ...short, `${word} today`];
    case 'postponed':
      return [status, ...short, 'Delivery postponed', 'Postponed'];
    case 'since': {
      if (tour.day === null) return [status, ...short, word];
      const since = `since ${pastDay(tour.day, dayInZone(now, zone))}`;
      return [`${words.main} ${since}${words.besides}`, ...short, `Out ${since}`, word];
    }
  }
}

/** The same as a sentence; null for a parcel that is not quiet. */
export function quietSentence(parcel: Parcel, { now, usual }: Pick<Viewing, 'now' | 'usual'>): string | null {
  const spell = usual === undefined ? null : quietSpell(parcel, now, usual);
  if (spell === null) return null;
  const days = spell.usualDays === 1 ? 'a day' : `${spell.usualDays} days`;
  return `Quiet for ${spell.days} days: parcels of ${courierName(parcel)} usually move on within ${days}.`;
}

/** From so many days on, a waiting parcel is spoken of in days; couriers keep it a week or two before it goes back. */
const loudDays = 3;
const urgentDays = 7;

function pickupWordings(
  parcel: Parcel,
  words: StatusWords,
  word: string,
  now: EpochMs,
): readonly [string, ...string[]] {
  const { main, besides } = words;
  const days = daysAtPickUpPoint(parcel, now) ?? 0;
  if (days >= loudDays) {
    const waiting = `waiting ${days} days`;
    return [
      `${days >= urgentDays ? 'Collect soon' : main}, ${waiting}${besides}`,
      ...shortOf(words),
      waiting,
      `waiting ${days} d`,
      word,
    ];
  }
  const waiting = waitingText(parcel, now);
  return waiting === null
    ? [wholeOf(words), ...shortOf(words), word]
    : [`${main}, ${waiting}${besides}`, ...shortOf(words), waiting, word];
}

/** Whole days since a parcel can be picked up, at least; null when nobody says since when. */
function daysAtPickUpPoint(parcel: Parcel, now: EpochMs): number | null {
  const at = arrivedBy(parcel);
  return at === null ? null : Math.max(0, Math.floor((now - at) / dayMs));
}

/** How long a parcel has been waiting to be picked up: `waits 5 h`, `waits 2 d`; null while that is no hour, or not known. */
function waitingText(parcel: Parcel, now: EpochMs): string | null {
  const at = arrivedBy(parcel);
  const [, count, unit] = /^(\d+)([hd])$/.exec(at === null ? '' : ageText(at, now)) ?? [];
  return count === undefined ? null : `waiting ${count} ${unit}`;
}

/** A day that has passed: `Wed` within six days, `12 Nov` before, with the year when that is another. */
function pastDay(day: number, today: number): string {
  const wall = day * dayMs;
  if (today - day <= 6) return weekdayText(wall);
  return yearText(wall) === yearText(today * dayMs) ? dayText(wall) : `${dayText(wall)} ${yearText(wall)}`;
}
