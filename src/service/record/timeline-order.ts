import { parseInstant } from '../clock/instant.ts';
import { parseWallTime } from '../clock/wall-time.ts';
import type { Checkpoint } from './record.ts';

/** A checkpoint with the instant by which it is sorted, in milliseconds since 1970. */
export interface RankedCheckpoint {
  checkpoint: Checkpoint;
  rank: number;
}

/** The instant of a checkpoint in milliseconds since 1970; null when it has none. */
export function instantOf({ at }: Pick<Checkpoint, 'at'>): number | null {
  return parseInstant(at);
}

/** The events that may have happened: those that were not in the future when they were heard of. */
export const believed = (list: readonly Checkpoint[]): readonly Checkpoint[] =>
  list.some(({ future }) => future === true) ? list.filter(({ future }) => future !== true) : list;

/** The instant of an event that may have happened; null when it has none, or was in the future. */
export const believedInstant = (event: Pick<Checkpoint, 'at' | 'future'>): number | null =>
  event.future === true ? null : instantOf(event);

/** About the same: without a zone its local time is read as UTC, which is off by less than a day. */
export const aboutInstantOf = (event: Pick<Checkpoint, 'at' | 'local'>): number | null =>
  instantOf(event) ?? parseWallTime(event.local);

/**
 * Gives every checkpoint of a list, newest first, an instant to sort by. One without an instant of its own takes its
 * local time as an estimate, but stays between its neighbours: their order is all that is certain about it. One in the
 * future keeps its place in the list, too, whatever its time is.
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
    const estimate = checkpoint.future === true ? null : parseWallTime(checkpoint.local);
    floor = believedInstant(checkpoint) ?? Math.min(highest, Math.max(floor, estimate ?? floor));
    return { checkpoint, rank: floor };
  });
  return oldestFirst.reverse();
}

/** Sorts ranked checkpoints newest first; what has one rank keeps the given order. */
export function newestFirst(ranked: readonly RankedCheckpoint[]): RankedCheckpoint[] {
  // Two infinite ranks have no difference.
  return ranked.toSorted((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank));
}

/** Characters of an instant without parts of a second. */
const wholeSecond = '2026-01-01T00:00:00Z'.length;

/**
 * Whether a list is surely sorted newest first, each event at an instant of its own: then no two of them are one event,
 * and nothing is to be sorted. False for a list with parts of a second, without an instant somewhere, or with
 * an event in the future.
 */
export function isSurelyNewestFirst(list: readonly Checkpoint[]): boolean {
  // Instants of one length sort as texts.
  return list.every(({ at, future }, index) => {
    const before = list[index - 1]?.at;
    return future !== true && at?.length === wholeSecond && (before === undefined || (before !== null && at < before));
  });
}
