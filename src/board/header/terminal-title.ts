import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { type LookName, stageLooks } from '../status/stage-look.ts';
import { countedStage, tourOf } from '../status/standing.ts';
import type { GlyphSet } from '../text/line.ts';
import { inGlyphs } from '../text/stand-in.ts';
import { dateInZone } from '../time/zone-time.ts';

/** What the terminal's title depends on. */
export interface TitleInput {
  readonly parcels: readonly Parcel[];
  readonly now: EpochMs;
  /** The viewer's zone. */
  readonly zone: Zone;
  readonly glyphs: GlyphSet;
}

/** What is counted in the title: what needs the user, or comes today. */
const counted = ['attention', 'out-for-delivery', 'pickup'] as const satisfies readonly LookName[];

/**
 * What matters, in the words of a window's title: `! 2 ▲ 1 · 3 new · parcel-monitor`. What there is none of is left out.
 * It holds counts only, nothing that came from outside.
 */
export function terminalTitle({ parcels, now, zone, glyphs }: TitleInput): string {
  const counts = new Map<LookName, number>();
  let unread = 0;
  for (const parcel of parcels) {
    if (parcel.archivedAt !== null) continue;
    const stage = countedStage(parcelStage(parcel), () => tourOf(parcel, now, (at) => dateInZone(at, zone)));
    counts.set(stage, (counts.get(stage) ?? 0) + 1);
    if (parcel.unread !== undefined) unread += 1;
  }
  const signs = counted.flatMap((stage) => {
    const count = counts.get(stage) ?? 0;
    return count === 0 ? [] : [`${stageLooks[stage].symbol} ${count}`];
  });
  const parts = [signs.join(' '), unread === 0 ? '' : `${unread} new`, 'parcel-monitor'];
  return inGlyphs(parts.filter((part) => part !== '').join(' · '), glyphs);
}
