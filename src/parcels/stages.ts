import type { Tone } from '../lib/paint.ts';
import { stages } from '../service/status.ts';

/** In order of urgency. For `closed`, see `isClosed`. */
export const shownStages = [...stages, 'closed'] as const;
export type ShownStage = (typeof shownStages)[number];

/** The stage, or the state in this program if that says more. */
export type ShownState = ShownStage | 'pending' | 'rejected' | 'archived';

/** `lib/paint.ts` has the ASCII versions of the symbols. */
interface StageEntry {
  /** One cell wide. */
  readonly symbol: string;
  readonly tone: Tone;
  readonly title: string;
  /** At most ten cells wide. */
  readonly short: string;
  /** When the header is too narrow, the lowest rank is dropped first. */
  readonly rank: number;
  /** Follows a number other than 1. Defaults to the title in lower case. */
  readonly plural?: string;
  readonly legend: string;
  /** The title in earlier versions, which searches still find. */
  readonly formerTitle?: string;
}

/** In list order. */
export const stageTable: Readonly<Record<ShownState, StageEntry>> = {
  attention: {
    symbol: '!',
    tone: 'attention',
    title: 'Needs attention',
    short: 'Attention',
    rank: 12,
    plural: 'need attention',
    legend: 'Needs attention: delivery failed, held, refused or returning',
  },
  'out-for-delivery': {
    symbol: '▲',
    tone: 'today',
    title: 'Out for delivery',
    short: 'Out',
    rank: 11,
    legend: 'Out for delivery',
  },
  pickup: {
    symbol: '◆',
    tone: 'today',
    title: 'Ready for pick-up',
    short: 'Pick-up',
    rank: 9,
    legend: 'Ready for pick-up',
    formerTitle: 'Ready to pick up',
  },
  'in-transit': {
    symbol: '▸',
    tone: 'moving',
    title: 'In transit',
    short: 'Transit',
    rank: 6,
    legend: 'In transit',
    formerTitle: 'On the way',
  },
  announced: {
    symbol: '○',
    tone: 'quiet',
    title: 'Announced',
    short: 'Announced',
    rank: 2.5,
    legend: 'Announced by the sender, not yet with the courier',
    formerTitle: 'Announced by the sender',
  },
  'no-record': {
    symbol: '?',
    tone: 'quiet',
    title: 'No info yet',
    short: 'No info',
    rank: 1,
    legend: 'No info yet: the courier does not know the number',
    formerTitle: 'No record yet',
  },
  unknown: {
    symbol: '◇',
    tone: 'quiet',
    title: 'Unknown',
    short: 'Unknown',
    rank: 1.5,
    legend: 'Unknown status',
    formerTitle: 'Unknown status',
  },
  delivered: { symbol: '✓', tone: 'done', title: 'Delivered', short: 'Delivered', rank: 3, legend: 'Delivered' },
  expired: {
    symbol: '×',
    tone: 'quiet',
    title: 'Expired',
    short: 'Expired',
    rank: 0,
    legend: 'Expired: no updates for so long that checking stopped',
  },
  closed: {
    symbol: '□',
    tone: 'quiet',
    title: 'Closed',
    short: 'Closed',
    rank: -1,
    legend: 'Closed: cancelled, returned or lost, and you have seen it',
  },
  pending: {
    symbol: '∙',
    tone: 'quiet',
    title: 'Waiting',
    short: 'Waiting',
    rank: -2,
    legend: 'Waiting for registration or its first result',
  },
  rejected: {
    symbol: '⊗',
    tone: 'attention',
    title: 'Rejected',
    short: 'Rejected',
    rank: 12,
    legend: 'Rejected: not accepted by the service',
  },
  archived: {
    symbol: '▫',
    tone: 'quiet',
    title: 'Archived',
    short: 'Archived',
    rank: -3,
    legend: 'Archived, no longer checked',
  },
};

/** Returns a count with its stage, such as `2 delivered`. */
export function stageCount(stage: ShownState, count: number): string {
  const { plural, title } = stageTable[stage];
  return `${count} ${count === 1 ? title.toLowerCase() : (plural ?? title.toLowerCase())}`;
}

/** Counts each stage: `1 needs attention`, `2 delivered`. In table order, without zero counts. */
export function stageCounts(
  parcelStages: Iterable<ShownState>,
): readonly { readonly count: number; readonly words: string }[] {
  const byStage = Map.groupBy(parcelStages, (stage) => stage);
  return (Object.keys(stageTable) as ShownState[]).flatMap((stage) => {
    const count = byStage.get(stage)?.length ?? 0;
    return count === 0 ? [] : [{ count, words: stageCount(stage, count) }];
  });
}
