import type { ShownStage } from '../../watchlist/rules/parcel-stage.ts';
import type { Tone } from '../text/line.ts';

/** What a parcel is drawn as: its stage, or where it stands with us when that says more. */
export type LookName = ShownStage | 'pending' | 'rejected' | 'archived';

/** How a stage looks. The word stands near the glyph wherever there is room: no meaning hangs on a glyph or colour alone. */
export interface StageLook {
  /** One cell. */
  readonly symbol: string;
  /** At most ten cells. */
  readonly word: string;
  readonly tone: Tone;
}

/** The looks of all stages. */
export const stageLooks: Readonly<Record<LookName, StageLook>> = {
  attention: { symbol: '!', word: 'Attention', tone: 'attention' },
  'out-for-delivery': { symbol: '▲', word: 'Out today', tone: 'today' },
  pickup: { symbol: '◆', word: 'Pick up', tone: 'today' },
  'in-transit': { symbol: '▸', word: 'On the way', tone: 'moving' },
  announced: { symbol: '○', word: 'Announced', tone: 'quiet' },
  'no-record': { symbol: '?', word: 'No record', tone: 'quiet' },
  unknown: { symbol: '◇', word: 'Unknown', tone: 'quiet' },
  delivered: { symbol: '✓', word: 'Delivered', tone: 'done' },
  expired: { symbol: '×', word: 'Expired', tone: 'quiet' },
  closed: { symbol: '□', word: 'Closed', tone: 'quiet' },
  pending: { symbol: '∙', word: 'Waiting', tone: 'quiet' },
  rejected: { symbol: '!', word: 'Rejected', tone: 'attention' },
  archived: { symbol: '▫', word: 'Archived', tone: 'quiet' },
};

/** Statuses that say no more than the heading of their group. */
const repeats: Readonly<Partial<Record<LookName, readonly string[]>>> = {
  'out-for-delivery': ['Out for delivery'],
  pickup: ['Ready to pick up'],
  'in-transit': ['In transit', 'On its way', 'On the way'],
  announced: ['Announced', 'Announced by the sender'],
  delivered: ['Delivered'],
};

/** Whether a status says no more than the heading under which it stands. */
export function repeatsHeading(status: string, look: LookName): boolean {
  return repeats[look]?.includes(status) ?? false;
}
