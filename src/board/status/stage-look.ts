import type { Stage } from '../../service/record/status.ts';
import type { GlyphSet, Tone } from '../text/line.ts';

/** What a parcel is drawn as: its stage, or where it stands with us when that says more. */
export type LookName = Stage | 'pending' | 'rejected' | 'archived';

/** How a stage looks. The word stands near the glyph wherever there is room: no meaning hangs on a glyph or colour alone. */
export interface StageLook {
  /** One cell. */
  readonly symbol: string;
  /** One cell of ASCII. */
  readonly ascii: string;
  /** At most ten cells. */
  readonly word: string;
  readonly tone: Tone;
}

/** The looks of all stages. */
export const stageLooks: Readonly<Record<LookName, StageLook>> = {
  attention: { symbol: '!', ascii: '!', word: 'Attention', tone: 'attention' },
  'out-for-delivery': { symbol: '▲', ascii: '^', word: 'Out today', tone: 'today' },
  pickup: { symbol: '◆', ascii: '#', word: 'Pick up', tone: 'today' },
  'in-transit': { symbol: '▸', ascii: '>', word: 'On the way', tone: 'moving' },
  announced: { symbol: '○', ascii: 'o', word: 'Announced', tone: 'quiet' },
  'no-record': { symbol: '?', ascii: '?', word: 'No record', tone: 'quiet' },
  unknown: { symbol: '◇', ascii: '%', word: 'Unknown', tone: 'quiet' },
  delivered: { symbol: '✓', ascii: 'v', word: 'Delivered', tone: 'done' },
  expired: { symbol: '×', ascii: 'x', word: 'Expired', tone: 'quiet' },
  pending: { symbol: '·', ascii: '.', word: 'Waiting', tone: 'quiet' },
  rejected: { symbol: '!', ascii: '!', word: 'Rejected', tone: 'attention' },
  archived: { symbol: '▫', ascii: '-', word: 'Archived', tone: 'quiet' },
};

/** The glyph of a look in a glyph set. */
export function stageGlyph(look: LookName, glyphs: GlyphSet): string {
  return glyphs === 'symbols' ? stageLooks[look].symbol : stageLooks[look].ascii;
}
