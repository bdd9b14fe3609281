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

/** About the same: without a zone its local time is read as UTC, which is off by less than a day. */
export const aboutInstantOf = (event: Pick<Checkpoint, 'at' | 'local'>): number | null =>
  instantOf(event) ?? parseWallTime(event.local);

/**
 * Gives every checkpoint of a list, newest first, an instant to sort by. One without an instant of its own takes its
 * local time as an estimate, but stays between its neighbours: their order is all that is certain about it.
 */
export function rankCheckpoints(list: readonly Checkpoint[]): readonly RankedCheckpoint[] {
  const ceilings: number[] = [];
  let ceiling = Number.POSITIVE_INFINITY;
  for (const checkpoint of list) {
    ceiling = instantOf(checkpoint) ?? ceiling;
    ceilings.push(ceiling);
  }
  let floor = Number.NEGATIVE_INFINITY;
  const oldestFirst = list.toReversed().map((checkpoint, fromEnd): RankedCheckpoint => {
    const highest = ceilings[list.length - 1 - fromEnd] ?? Number.POSITIVE_INFINITY;
    floor = instantOf(checkpoint) ?? Math.min(highest, Math.max(floor, parseWallTime(checkpoint.local) ?? floor));
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
 * and nothing is to be sorted. False for a list with parts of a second, or without an instant somewhere.
 */
export function isSurelyNewestFirst(list: readonly Checkpoint[]): boolean {
  // Instants of one length sort as texts.
  return list.every(({ at }, index) => {
    const before = list[index - 1]?.at;
    return at?.length === wholeSecond && (before === undefined || (before !== null && at < before));
  });
}
