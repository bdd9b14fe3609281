import { type GlyphSet, inGlyphs, type Line } from '../lib/paint.ts';
import { counted } from '../lib/text.ts';
import type { Viewer } from '../parcels/expected-delivery.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { type ShownStage, shownStage } from '../parcels/parcel-stage.ts';
import type { Stage } from '../service/status.ts';
import { stageLooks } from './status/stage.ts';
import { countedStage } from './status/status-now.ts';
import { dayInZone } from './time/zone-time.ts';

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

/** What is counted in the title: what needs the user, or comes today. */
const titled = ['attention', 'out-for-delivery', 'pickup'] as const satisfies readonly Stage[];

/**
 * What matters, in the words of a window's title: `! 2 ▲ 1 · 3 new · parcel-monitor`. What there is none of is left out.
 * It holds counts only, nothing that came from outside.
 */
export function terminalTitle({ found, unread }: StageCounts, glyphs: GlyphSet): string {
  const signs = titled.flatMap((stage) => {
    const count = found.get(stage) ?? 0;
    return count === 0 ? [] : [`${stageLooks[stage].symbol} ${count}`];
  });
  const parts = [signs.join(' '), unread === 0 ? '' : `${unread} new`, 'parcel-monitor'];
  return inGlyphs(parts.filter((part) => part !== '').join(' · '), glyphs);
}
