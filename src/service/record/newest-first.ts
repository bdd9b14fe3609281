import type { Checkpoint } from './record.ts';

/** Characters of an instant without parts of a second. */
const wholeSecond = '2026-01-01T00:00:00Z'.length;

/**
 * Whether a list is surely told newest first, each event at an instant of its own: then no two of them are one event, and
 * nothing is to be sorted. False for a list with parts of a second, or without an instant somewhere.
 */
export function isSurelyNewestFirst(list: readonly Checkpoint[]): boolean {
  // Instants of one length sort as texts.
  return list.every(({ at }, index) => {
    const before = list[index - 1]?.at;
    return at?.length === wholeSecond && (before === undefined || (before !== null && at < before));
  });
}
