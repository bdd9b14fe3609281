import { dayMs, type EpochMs, minuteMs } from '../lib/clock.ts';
import {
  greatestOffsetMs,
  leastOffsetMs,
  parseDay,
  parseInstant,
  parseOffset,
  parseWallTime,
} from '../lib/date-time.ts';
import type { Checkpoint } from './record.ts';

export interface RankedCheckpoint {
  checkpoint: Checkpoint;
  rank: number;
}

export function instantOf({ at }: Pick<Checkpoint, 'at'>): number | null {
  return parseInstant(at);
}

export const believed = (list: readonly Checkpoint[]): readonly Checkpoint[] =>
  list.some(({ future }) => future === true) ? list.filter(({ future }) => future !== true) : list;

export const believedInstant = (event: Pick<Checkpoint, 'at' | 'future'>): number | null =>
  event.future === true ? null : instantOf(event);

/** Between which instants an event was, in milliseconds since 1970; a known instant is both. */
export interface EventSpan {
  readonly earliest: EpochMs;
  readonly latest: EpochMs;
}

/**
 * The bounds of an event's instant; null when nothing is certain. A local time without a zone may be of any clock of
 * the earth.
 */
export function eventSpan({ at, local, offset }: Pick<Checkpoint, 'at' | 'local' | 'offset'>): EventSpan | null {
  const instant = instantOf({ at });
  if (instant !== null) return { earliest: instant, latest: instant };
  const minutes = parseOffset(offset);
  const [greatest, least] =
    minutes === null ? [greatestOffsetMs, leastOffsetMs] : [minutes * minuteMs, minutes * minuteMs];
  const wall = parseWallTime(local);
  if (wall !== null) return { earliest: wall - greatest, latest: wall - least };
  const day = parseDay(local);
  return day === null ? null : { earliest: day - greatest, latest: day + dayMs - 1 - least };
}

/** The local time of an event as if its clock were UTC, the beginning of its day where only that is given; null for none. */
export const wallOf = ({ local }: Pick<Checkpoint, 'local'>): EpochMs | null => parseWallTime(local) ?? parseDay(local);

/**
 * An event without an instant is sorted by its local time, but stays between its neighbours; one in the future keeps
 * its place, too.
 */
export function rankCheckpoints(list: readonly Checkpoint[]): readonly RankedCheckpoint[] {
  const ceilings: number[] = [];
  let ceiling = Number.POSITIVE_INFINITY;
  for (const checkpoint of list) {
    ceiling = believedInstant(checkpoint) ?? ceiling;
    ceilings.push(ceiling);
  }
  let floor = Number.NEGATIVE_INFINITY;
  const oldestFirst = list.toReversed().map((checkpoint, fromEnd): RankedCheckpoint => {
    const highest = ceilings[list.length - 1 - fromEnd] ?? Number.POSITIVE_INFINITY;
    const estimate = checkpoint.future === true ? null : wallOf(checkpoint);
    floor = believedInstant(checkpoint) ?? Math.min(highest, Math.max(floor, estimate ?? floor));
    return { checkpoint, rank: floor };
  });
  return oldestFirst.reverse();
}

export function newestFirst(ranked: readonly RankedCheckpoint[]): RankedCheckpoint[] {
  // Two infinite ranks have no difference.
  return ranked.toSorted((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank));
}

const wholeSecond = '2026-01-01T00:00:00Z'.length;

/**
 * Whether events have instants that strictly fall, so that nothing is to be sorted or folded. False with parts of a
 * second or an event in the future.
 */
export function isSurelyNewestFirst(list: readonly Checkpoint[]): boolean {
  // Instants of one length sort as texts.
  return list.every(({ at, future }, index) => {
    const before = list[index - 1]?.at;
    return future !== true && at?.length === wholeSecond && (before === undefined || (before !== null && at < before));
  });
}
