import type { MonitorCore } from '../core/monitor-core.ts';
import type { RefreshOutcome } from '../core/state.ts';
import { joinedOutcome } from './batch-caller.ts';
import { dueAt } from './schedule.ts';

/** The ids of the parcels that are due or have no record yet, of those that are held. */
export function dueIds({ clock, log, policy }: Pick<MonitorCore, 'clock' | 'log' | 'policy'>): readonly string[] {
  const now = clock.now();
  return log.parcels().flatMap((parcel) => {
    const at = dueAt(parcel, now, policy);
    return at !== null && (at <= now || parcel.record === null) ? [parcel.id] : [];
  });
}

/** Refreshes them all; where not all parcels are held, those that are due come a part at a time. Ends with the first failure. Rejects as `refresh`. */
export async function refreshDue(
  core: Pick<MonitorCore, 'clock' | 'log' | 'policy'>,
  refresh: (parcelIds: readonly string[]) => Promise<RefreshOutcome>,
): Promise<RefreshOutcome> {
  const tried = new Set<string>();
  const outcomes: RefreshOutcome[] = [];
  for (;;) {
    const ids = dueIds(core).filter((id) => !tried.has(id));
    const isOver = ids.length === 0 && outcomes.length > 0;
    if (isOver && !(await core.log.refill())) break;
    if (isOver) continue;
    for (const id of ids) tried.add(id);
    const outcome = await refresh(ids);
    outcomes.push(outcome);
    if (outcome.failure !== null) break;
  }
  return joinedOutcome(outcomes);
}
