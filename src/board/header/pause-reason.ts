import type { HeaderPolling } from './header.ts';

/** Why nothing is checked by itself until the user does something, so that no time of a next check can be promised. */
export type PauseReason = 'no-key' | 'paused' | 'stopped';

/** Why nothing is checked by itself; null while polling goes on, or is to be tried again. */
export function pauseReason({ phase, paused }: Pick<HeaderPolling, 'phase' | 'paused'>): PauseReason | null {
  if (phase === 'off') return 'no-key';
  if (phase === 'stopped') return 'stopped';
  return paused === true ? 'paused' : null;
}

const phrases: Readonly<Record<PauseReason, string>> = {
  'no-key': 'no checks: not set up',
  paused: 'automatic checks paused',
  stopped: 'no checks until the problem is solved',
};

/** What stands in the place of the next check. */
export function pausePhrase(reason: PauseReason): string {
  return phrases[reason];
}
