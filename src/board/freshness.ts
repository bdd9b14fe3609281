import type { EpochMs } from '../service/clock.ts';
import type { Parcel } from '../watchlist/parcel.ts';
import type { GlyphSet } from './line.ts';
import { instantOf } from './view-stage.ts';

/** Beyond this a missed update is no delay of a batch any more; milliseconds. */
export const lateAfter = 60 * 60_000;

/** How far the data of a parcel can be trusted to be current. */
export type Freshness = 'fresh' | 'asking' | 'failed' | 'late';

/** `asking`: a call is under way; `failed`: the last try failed; `late`: its update was due more than an hour ago. */
export function freshness(parcel: Parcel, now: EpochMs, asking: boolean): Freshness {
  if (asking) return 'asking';
  if (parcel.registration === 'rejected') return 'fresh';
  if (parcel.error !== null) return 'failed';
  const lateAt = turnsLateAt(parcel);
  return lateAt !== null && now >= lateAt ? 'late' : 'fresh';
}

/** Whether what is shown may be old: the last try failed, or the update is long overdue. */
export function isStale(parcel: Parcel, now: EpochMs): boolean {
  const state = freshness(parcel, now, false);
  return state === 'failed' || state === 'late';
}

/** When a parcel becomes late unless it is asked; null when it is not in the queue. */
export function turnsLateAt(parcel: Parcel): EpochMs | null {
  const due = parcel.archivedAt === null ? instantOf(parcel.nextPollAt) : null;
  return due === null ? null : due + lateAfter;
}

/** One cell that marks a freshness; the word stands in the column of the next update where there is room. */
export function freshnessGlyph(state: Freshness, glyphs: GlyphSet): string {
  if (state === 'fresh') return ' ';
  const [symbol, ascii] = { asking: ['↻', '*'], failed: ['✗', 'x'], late: ['◔', '@'] }[state] as [string, string];
  return glyphs === 'symbols' ? symbol : ascii;
}
