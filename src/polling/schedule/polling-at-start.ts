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
    { operation: 'register', at: nextCallAmong(register, batchLimits.register, now) },
    { operation: 'query', at: nextCallAmong(query, batchLimits.query, now) },
  ] as const;
  const times = calls.flatMap(({ at, operation }) => (at === null ? [] : (gate.pollAt(at, operation) ?? [])));
  return {
    ...offPolling,
    phase: gate.needsUser('query') ? 'stopped' : gate.coolDown('query') === null ? 'waiting' : 'backing-off',
    nextPollAt: times.length === 0 ? null : Math.min(...times),
    queriesToday: budget.totals().today.queries,
    paused: memory.current.paused,
  };
}
