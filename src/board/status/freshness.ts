import type { EpochMs } from '../../service/clock/clock.ts';
import { lookupDoubt } from '../../service/record/status.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { GlyphSet } from '../text/line.ts';
import { instantOf } from './view-stage.ts';

/** Beyond this a missed update is no delay of a batch any more; milliseconds. */
export const lateAfter = 60 * 60_000;

/** How far the data of a parcel can be trusted to be current. */
export type Freshness = 'fresh' | 'asking' | 'failed' | 'late' | 'doubtful';

/**
 * `asking`: a call is under way; `failed`: the last try failed; `late`: its update was due more than an hour ago;
 * `doubtful`: the service itself could not look at the courier's.
 */
export function freshness(parcel: Parcel, now: EpochMs, asking: boolean): Freshness {
  if (asking) return 'asking';
  if (parcel.registration === 'rejected') return 'fresh';
  if (parcel.error !== null) return 'failed';
  const lateAt = turnsLateAt(parcel);
  if (lateAt !== null && now >= lateAt) return 'late';
  return lookupDoubt(parcel.record?.trackingStatus ?? null) === null ? 'fresh' : 'doubtful';
}

/** Whether what is shown may be old: the last try failed, the update is long overdue, or the lookup did not work. */
export function isStale(parcel: Parcel, now: EpochMs): boolean {
  return freshness(parcel, now, false) !== 'fresh';
}

/** When a parcel becomes late unless it is asked; null when it is not in the queue. */
export function turnsLateAt(parcel: Parcel): EpochMs | null {
  const due = parcel.archivedAt === null ? instantOf(parcel.nextPollAt) : null;
  return due === null ? null : due + lateAfter;
}

/** One cell that marks a freshness; the word stands in the column of the next update where there is room. */
export function freshnessGlyph(state: Freshness, glyphs: GlyphSet): string {
  if (state === 'fresh') return ' ';
  const signs: Readonly<Record<Exclude<Freshness, 'fresh'>, readonly [string, string]>> = {
    asking: ['↻', '*'],
    failed: ['✗', 'x'],
    late: ['◔', '@'],
    doubtful: ['≋', '='],
  };
  const [symbol, ascii] = signs[state];
  return glyphs === 'symbols' ? symbol : ascii;
}
