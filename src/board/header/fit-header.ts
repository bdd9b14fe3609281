import { counted } from '../text/counted.ts';
import type { Line } from '../text/line.ts';

/** The same in full and in fewer words. */
export type Words = readonly [full: string, short: string];

/** A piece of the header; of several too many the one with the lowest rank goes first. */
export interface Part {
  readonly rank: number;
  readonly segments: Line;
  /** The same in fewer words, before any piece goes. */
  readonly short?: Line;
  /** So many parcels, which are counted with the others when the piece goes. */
  readonly parcels?: number;
}

/** Both sides of the header. */
export interface HeaderSides {
  readonly left: readonly Part[];
  readonly right: readonly Part[];
}

/**
 * The pieces that have room: first in fewer words, then without the less urgent ones; the last one stays.
 * Counts that have no room are added up, in a piece of the rank of the others.
 */
export function fitHeader(sides: HeaderSides, fits: (sides: HeaderSides) => boolean, othersRank: number): HeaderSides {
  let { left, right } = sides;
  if (!fits(sides)) right = right.map(({ rank, segments, short }) => ({ rank, segments: short ?? segments }));
  while (left.length + right.length > 1 && !fits({ left, right })) {
    const lowest = Math.min(...[...left, ...right].map((part) => part.rank));
    left = withoutRank(left, lowest, othersRank);
    right = right.filter((part) => part.rank !== lowest);
  }
  return { left, right };
}

/** The pieces without those of a rank; what those counted is added to the others. */
function withoutRank(parts: readonly Part[], rank: number, othersRank: number): Part[] {
  const kept = parts.filter((part) => part.rank !== rank);
  const folded = parts.reduce((sum, part) => sum + (part.rank === rank ? (part.parcels ?? 0) : 0), 0);
  const before = parts.find((part) => part.rank === othersRank);
  if (folded === 0 || rank === othersRank) return kept;
  const count = folded + (before?.parcels ?? 0);
  const segment = { text: `+${counted(count, 'other')}`, tone: 'quiet' } as const;
  const others: Part = { rank: othersRank, segments: [segment], parcels: count };
  const lastCount = kept.findLastIndex((part) => part !== before && part.parcels !== undefined);
  return kept.filter((part) => part !== before).toSpliced(lastCount + 1, 0, others);
}
