import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Viewer } from '../../watchlist/rules/late-delivery.ts';
import { type ShownStage, shownStage } from '../../watchlist/rules/parcel-stage.ts';
import { stageLooks } from '../status/stage-look.ts';
import { countedStage } from '../status/standing.ts';
import { dayInZone } from '../time/zone-time.ts';
import type { Part } from './fit-header.ts';

/** What is counted. */
export interface CountInput extends Viewer {
  readonly parcels: readonly Parcel[];
}

interface CountRule extends Pick<Part, 'rank'> {
  readonly stage: ShownStage;
  readonly words: (count: number) => string;
}

/** In the order in which they are shown. */
const rules: readonly CountRule[] = [
  { stage: 'attention', rank: 12, words: (count) => `${count} ${count === 1 ? 'needs' : 'need'} you` },
  { stage: 'out-for-delivery', rank: 11, words: (count) => `${count} out today` },
  { stage: 'pickup', rank: 9, words: (count) => `${count} to pick up` },
  { stage: 'in-transit', rank: 6, words: (count) => `${count} moving` },
  { stage: 'announced', rank: 2.5, words: (count) => `${count} announced` },
  { stage: 'no-record', rank: 1, words: (count) => `${count} no record` },
  { stage: 'unknown', rank: 1.5, words: (count) => `${count} unknown` },
  { stage: 'delivered', rank: 3, words: (count) => `${count} delivered` },
  { stage: 'expired', rank: 0, words: (count) => `${count} expired` },
  { stage: 'closed', rank: -1, words: (count) => `${count} closed` },
];

/** How many watched parcels are at each stage, each counted at exactly one, and how many of them are unread. */
export interface StageCounts {
  readonly found: ReadonlyMap<ShownStage, number>;
  readonly unread: number;
}

/** Counts parcels. */
export function stageCounts({ parcels, now, zone }: CountInput): StageCounts {
  const found = new Map<ShownStage, number>();
  let unread = 0;
  for (const parcel of parcels) {
    if (parcel.archivedAt !== null) continue;
    const stage = countedStage(shownStage(parcel), parcel, now, (at) => dayInZone(at, zone));
    found.set(stage, (found.get(stage) ?? 0) + 1);
    if (parcel.unread !== undefined) unread += 1;
  }
  return { found, unread };
}

/** {@link stageCounts} in words, in the order in which they are shown. */
export const headerCounts = ({ found }: StageCounts): readonly Part[] =>
  rules.flatMap(({ rank, stage, words }): Part[] => {
    const count = found.get(stage) ?? 0;
    const { symbol, tone } = stageLooks[stage];
    const text = `${symbol} ${words(count)}`;
    return count === 0 ? [] : [{ rank, segments: [{ text, tone, bold: stage === 'attention' }], parcels: count }];
  });
