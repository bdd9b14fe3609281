import type { EpochMs } from '../../service/clock/clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { type StaleReason, staleReason } from '../../watchlist/rules/staleness.ts';
import type { GlyphSet } from '../text/line.ts';

/** How far the data of a parcel can be trusted to be current. */
export type Freshness = 'fresh' | 'asking' | StaleReason;

/** `asking`: a call is under way. A rejected parcel is told by its stage instead. */
export function freshness(parcel: Parcel, now: EpochMs, asking: boolean): Freshness {
  if (asking) return 'asking';
  if (parcel.registration === 'rejected') return 'fresh';
  return staleReason(parcel, now) ?? 'fresh';
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
