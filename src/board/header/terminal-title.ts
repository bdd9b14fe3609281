import type { Stage } from '../../service/record/status.ts';
import { stageLooks } from '../status/stage-look.ts';
import type { GlyphSet } from '../text/line.ts';
import { inGlyphs } from '../text/stand-in.ts';
import type { StageCounts } from './header-counts.ts';

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
