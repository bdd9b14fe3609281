import { urgencyWithinStage } from '../../board/status/standing.ts';
import { type Stage, stages } from '../../service/record/status.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';

/** Which parcels are wanted. */
export interface ParcelSelection {
  /** Archived ones, too. */
  readonly all: boolean;
  readonly stage: Stage | null;
  /** All of them when left out. */
  readonly passes?: (parcel: Parcel) => boolean;
}

/** The parcels to list: most urgent stage first, in it the newest event (of what can be picked up, the longest wait) first, archived ones last. */
export function selectParcels(
  parcels: readonly Parcel[],
  { all, stage, passes = () => true }: ParcelSelection,
): readonly Parcel[] {
  const wanted: { readonly parcel: Parcel; readonly rank: number; readonly urgency: number }[] = [];
  for (const parcel of parcels) {
    if ((!all && parcel.archivedAt !== null) || !passes(parcel)) continue;
    const own = parcelStage(parcel);
    if (stage !== null && own !== stage) continue;
    const rank = parcel.archivedAt === null ? stages.indexOf(own) : stages.length;
    wanted.push({ parcel, rank, urgency: urgencyWithinStage(parcel, own) });
  }
  return wanted.sort((a, b) => a.rank - b.rank || descending(a.urgency, b.urgency)).map(({ parcel }) => parcel);
}

/** Two that are the same may be infinite. */
const descending = (left: number, right: number): number => (left === right ? 0 : right - left);
