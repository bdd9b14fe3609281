import type { HeaderPolling } from './header.ts';

/** Why nothing is asked by itself until the user does something, so that no time of a next question can be promised. */
export type AskingRest = 'no-key' | 'paused' | 'stopped';

/** Why nothing is asked by itself; null while asking goes on, or is to be tried again. */
export function askingRest({ phase, paused }: Pick<HeaderPolling, 'phase' | 'paused'>): AskingRest | null {
  if (phase === 'off') return 'no-key';
  if (phase === 'stopped') return 'stopped';
  return paused === true ? 'paused' : null;
}

const phrases: Readonly<Record<AskingRest, string>> = {
  'no-key': 'not asked: not set up',
  paused: 'not asked: paused',
  stopped: 'not asked until the problem is mended',
};

/** What stands in the place of the next update. */
export function restPhrase(rest: AskingRest): string {
  return phrases[rest];
}
