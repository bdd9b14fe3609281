import { minuteMs } from '../../service/clock/clock.ts';
import { cellWidth } from '../text/cells.ts';
import { spanText } from '../time/age.ts';
import type { StandingCount } from './away-counts.ts';

/**
 * What happened while nobody looked, as a sentence: in fewer words where there is less room, down to a number. Null when
 * nothing happened.
 * @param awayMs how long nobody looked; left out where it says nothing
 * @param room cells of the sentence
 */
export function awayWords(counts: readonly StandingCount[], awayMs: number, room: number): string | null {
  const total = sum(counts);
  if (total === 0) return null;
  const away = awayMs >= minuteMs ? spanText(awayMs) : '';
  const full = `While you were away${away === '' ? '' : ` (${away})`}: `;
  const short = `Away${away === '' ? '' : ` ${away}`}: `;
  const listed = counts.map(({ words }) => words);
  const folded = listed
    .slice(1)
    .map((_, index) => listed.length - 1 - index)
    .map((kept) => [...listed.slice(0, kept), `${sum(counts.slice(kept))} more`].join(', '));
  const whole = listed.join(', ');
  const candidates = [`${full}${whole}.`, `${short}${whole}.`, ...folded.map((words) => `${short}${words}.`)];
  return candidates.find((words) => cellWidth(words) <= room) ?? `${total} changed.`;
}

const sum = (counts: readonly StandingCount[]): number =>
  counts.reduce((total, { count: parcels }) => total + parcels, 0);
