import { urgencyWithinStage } from '../board/status/status-now.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStage, shownStage } from '../parcels/parcel-stage.ts';
import { shownStages } from '../parcels/stages.ts';
import type { Stage } from '../service/status.ts';

/** Which parcels are wanted. */
interface ParcelSelection {
  /** Archived ones, too. */
  readonly all: boolean;
  readonly stage: Stage | null;
  /** All of them when left out. */
  readonly passes?: (parcel: Parcel) => boolean;
}

/** Something of a parcel, with the place that the parcel has in a list. */
export interface Ranked<Value> {
  readonly value: Value;
  /** The place of its stage; archived ones come last. */
  readonly rank: number;
  /** Among those of the same rank the larger one comes first. */
  readonly urgency: number;
}

/** The parcels to list: most urgent stage first, in it the newest event (of what can be picked up, the longest wait) first, archived ones last. */
export function selectParcels(parcels: readonly Parcel[], selection: ParcelSelection): readonly Parcel[] {
  return byRank(rankParcels(parcels, selection));
}

/** The parcels that are wanted, in the order in which they came. */
export function rankParcels(
  parcels: readonly Parcel[],
  { all, stage, passes = () => true }: ParcelSelection,
): Ranked<Parcel>[] {
  const wanted: Ranked<Parcel>[] = [];
  for (const parcel of parcels) {
    if ((!all && parcel.archivedAt !== null) || !passes(parcel)) continue;
    if (stage !== null && parcelStage(parcel) !== stage) continue;
    const own = shownStage(parcel);
    const rank = parcel.archivedAt === null ? shownStages.indexOf(own) : shownStages.length;
    wanted.push({ value: parcel, rank, urgency: urgencyWithinStage(parcel, own) });
  }
  return wanted;
}

/** What was ranked, in the order of a list. */
export function byRank<Value>(ranked: readonly Ranked<Value>[]): readonly Value[] {
  return ranked.toSorted((a, b) => a.rank - b.rank || descending(a.urgency, b.urgency)).map(({ value }) => value);
}

/** Two that are the same may be infinite. */
const descending = (left: number, right: number): number => (left === right ? 0 : right - left);
