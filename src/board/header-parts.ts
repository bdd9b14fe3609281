import type { Line } from '../lib/paint.ts';
import { counted } from '../lib/text.ts';
import type { Viewer } from '../parcels/expected-delivery.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { isSnoozed, shownStage } from '../parcels/parcel-stage.ts';
import { type ShownStage, shownStages, stageCount, stageTable } from '../parcels/stages.ts';
import { countedStage } from './status/status-now.ts';

export type Words = readonly [full: string, short: string];

export interface Part {
  readonly rank: number;
  readonly segments: Line;
  readonly short?: Line;
  /** Number of parcels that move to "others" if this part is dropped. */
  readonly parcels?: number;
}

export interface HeaderSides {
  readonly left: readonly Part[];
  readonly right: readonly Part[];
}

/**
 * Makes the header fit, first with shorter words, then by dropping the least urgent parts. The last part always stays.
 * The counts of dropped parts are added up.
 */
export function fitHeader(sides: HeaderSides, fits: (sides: HeaderSides) => boolean, othersRank: number): HeaderSides {
  let { left, right } = sides;
  const shortened = (part: Part): Part => ({ ...part, segments: part.short ?? part.segments });
  if (!fits({ left, right })) right = right.map(shortened);
  if (!fits({ left, right })) left = left.map(shortened);
  while (left.length + right.length > 1 && !fits({ left, right })) {
    const lowest = Math.min(...[...left, ...right].map((part) => part.rank));
    left = withoutRank(left, lowest, othersRank);
    right = right.filter((part) => part.rank !== lowest);
  }
  return { left, right };
}

/** Drops the parts with a rank and adds their counts to "others". */
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

export interface CountInput extends Viewer {
  readonly parcels: readonly Parcel[];
}

/** Number of parcels in each stage, counting each parcel once, and of those with news. */
export interface StageCounts {
  readonly found: ReadonlyMap<ShownStage, number>;
  readonly unread: number;
}

export function stageCounts({ parcels, now, zone }: CountInput): StageCounts {
  const found = new Map<ShownStage, number>();
  let unread = 0;
  for (const parcel of parcels) {
    if (parcel.archivedAt !== null || isSnoozed(parcel, now)) continue;
    const stage = countedStage(shownStage(parcel), parcel, { now, zone });
    found.set(stage, (found.get(stage) ?? 0) + 1);
    if (parcel.unread !== undefined) unread += 1;
  }
  return { found, unread };
}

/** Returns the {@link stageCounts} as header parts, in stage order. */
export const headerCounts = ({ found }: StageCounts): readonly Part[] =>
  shownStages.flatMap((stage): Part[] => {
    const parcels = found.get(stage) ?? 0;
    const { rank, short, symbol, tone } = stageTable[stage];
    if (parcels === 0) return [];
    const labelled = (words: string): Line => [{ text: `${symbol} ${words}`, tone, bold: stage === 'attention' }];
    const few = labelled(`${parcels} ${short.toLowerCase()}`);
    return [{ rank, segments: labelled(stageCount(stage, parcels)), short: few, parcels }];
  });
