import { urgencyWithinStage } from '../board/status/status-now.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStage, shownStage, shownStages } from '../parcels/parcel-stage.ts';
import type { Stage } from '../service/status.ts';

/** Which parcels are wanted. */
interface ParcelSelection {
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
  const ranked = parcels.flatMap((parcel) => {
    if ((!all && parcel.archivedAt !== null) || !passes(parcel)) return [];
    if (stage !== null && parcelStage(parcel) !== stage) return [];
    const own = shownStage(parcel);
    const rank = parcel.archivedAt === null ? shownStages.indexOf(own) : shownStages.length;
    return [{ parcel, rank, urgency: urgencyWithinStage(parcel, own) }];
  });
  return ranked.sort((a, b) => a.rank - b.rank || descending(a.urgency, b.urgency)).map(({ parcel }) => parcel);
}

/** Two that are the same may be infinite. */
const descending = (left: number, right: number): number => (left === right ? 0 : right - left);
