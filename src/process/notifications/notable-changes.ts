import type { Stage } from '../../service/record/status.ts';
import type { Change } from '../../watchlist/changes/change.ts';
import { firstResultMs } from '../../watchlist/changes/note-changes.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';

/** The stage that a change brought its parcel to; null for a change that brings none. */
export function stageOfChange({ change, to }: Pick<Change, 'change' | 'to'>): Stage | null {
  if (change === 'rejected') return 'attention';
  return change === 'status' ? (to?.stage ?? null) : null;
}

/**
 * Those of the changes that are notified: a new status in one of the stages, or a rejection where "attention" is one. What
 * the user did is none, nor the first result of a parcel that was added just now, nor what concerns one that is gone.
 */
export function notableChanges(
  changes: readonly Change[],
  stages: ReadonlySet<Stage>,
  parcels: readonly Parcel[],
): readonly Change[] {
  const candidates = changes.filter((change) => {
    const stage = stageOfChange(change);
    return stage !== null && stages.has(stage);
  });
  if (candidates.length === 0) return [];
  const byId = new Map(parcels.map((parcel) => [parcel.id, parcel]));
  return candidates.filter((change) => {
    const parcel = byId.get(change.parcelId);
    return parcel !== undefined && parcel.archivedAt === null && !isFirstResult(change, parcel);
  });
}

/** The user has added it just now, and looks at it. */
function isFirstResult({ from, noticedAt }: Change, { addedAt }: Parcel): boolean {
  return (from?.status ?? null) === null && Date.parse(noticedAt) - Date.parse(addedAt) <= firstResultMs;
}
