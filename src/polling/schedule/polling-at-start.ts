import type { BatchLimits } from '../../service/port.ts';
import { offPolling, type PollingState } from '../../watchlist/state/polling-state.ts';
import type { SoonestWaits } from '../../watchlist/state/soonest-waits.ts';
import type { CallGate } from '../gate/call-gate.ts';
import { nextCallAmong } from './soonest-waits.ts';

/**
 * How polling stands right after it began, by what is called about first and what the gate has recalled; null while the
 * user's budget holds calls back, since that counts all parcels.
 */
export function pollingAtStart(
  gate: Pick<CallGate, 'budget' | 'coolDown' | 'memory' | 'needsUser' | 'pollAt'>,
  { query, register }: Pick<SoonestWaits, 'query' | 'register'>,
  batchLimits: BatchLimits,
  now: number,
): PollingState | null {
  const { budget, memory } = gate;
  if (budget.resumesAt('register') !== null || budget.resumesAt('query') !== null) return null;
  const calls = [
    nextCallAmong(register, batchLimits.register, now),
    nextCallAmong(query, batchLimits.query, now),
  ].filter((at) => at !== null);
  const due = calls.length === 0 ? null : Math.min(...calls);
  return {
    ...offPolling,
    phase: gate.needsUser() ? 'stopped' : gate.coolDown() === null ? 'waiting' : 'backing-off',
    nextPollAt: due === null ? null : gate.pollAt(due),
    queriesToday: budget.totals().today.queries,
    paused: memory.current.paused,
  };
}
