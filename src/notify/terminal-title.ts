import type { StageCounts } from '../board/status/status-now.ts';
import { type GlyphSet, inGlyphs } from '../lib/paint.ts';
import { stageTable } from '../parcels/stages.ts';
import type { Stage } from '../service/status.ts';
import type { Environment } from '../system/environment.ts';

/** Stages that are counted in the title: what needs attention or arrives today. */
const titleStages = ['attention', 'out-for-delivery', 'pickup'] as const satisfies readonly Stage[];

/** Returns `! 2 ▲ 1 · 3 new · parcel-monitor`, without zero counts. Never contains external text. */
export function terminalTitle({ found, unread }: StageCounts, glyphs: GlyphSet): string {
  const symbols = titleStages.flatMap((stage) => {
    const count = found.get(stage) ?? 0;
    return count === 0 ? [] : [`${stageTable[stage].symbol} ${count}`];
  });
  const parts = [symbols.join(' '), unread === 0 ? '' : `${unread} new`, 'parcel-monitor'];
  return inGlyphs(parts.filter((part) => part !== '').join(' · '), glyphs);
}

/** Whether a terminal has a title. A console has none, and an unknown terminal might print the sequence. */
export function hasTitle({ TERM = '' }: Environment, platform: string): boolean {
  return platform === 'win32' || !['', 'dumb', 'linux'].includes(TERM);
}
