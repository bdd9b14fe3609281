import type { PollingState } from '../../watchlist/state/polling-state.ts';

/** Why nothing is checked by itself until the user does something, so that no time of a next check can be promised. */
export type PauseReason = 'no-key' | 'paused' | 'stopped' | 'cut-off';

/** Why nothing is checked by itself; null while polling goes on, or is to be tried again. */
export function pauseReason({
  cutOffSince,
  phase,
  paused,
}: Pick<PollingState, 'cutOffSince' | 'phase' | 'paused'>): PauseReason | null {
  if (cutOffSince !== null) return 'cut-off';
  if (phase === 'off') return 'no-key';
  if (phase === 'stopped') return 'stopped';
  return paused ? 'paused' : null;
}

/** What stands in the place of the next check. */
export const pausePhrases: Readonly<Record<PauseReason, string>> = {
  'no-key': 'no checks: not set up',
  paused: 'automatic checks paused',
  stopped: 'no checks until the problem is solved',
  'cut-off': 'no checks until the database is back',
};
