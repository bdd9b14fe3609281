import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { type ShownStage, shownStage } from '../../watchlist/rules/parcel-stage.ts';
import { tourDay } from '../status/standing.ts';
import { dayInZone } from '../time/zone-time.ts';

/** Where a postponed tour stands among the tours: nowhere. */
export const postponed = -1;

/** Counts parcels for the header by what does not depend on the day. */
export class Tally {
  readonly counts: Map<ShownStage, number>;
  /** How many are out for delivery by a tour of a day, see `TourDay`. */
  readonly tours: [day: number | null, offset: number | null, count: number][];
  readonly #zone: Zone;
  readonly #positions: Map<string, number>;

  /** Goes on from what was counted before. */
  constructor(
    zone: Zone,
    counts: Iterable<readonly [ShownStage, number]> = [],
    tours: readonly (readonly [number | null, number | null, number])[] = [],
  ) {
    this.#zone = zone;
    this.counts = new Map(counts);
    this.tours = tours.map(([day, offset, count]) => [day, offset, count]);
    this.#positions = new Map(tours.map(([day, offset], position) => [keyOf(day, offset), position]));
  }

  /** Counts a parcel; answers where its tour stands among the tours, null for one that is at another stage. */
  add(parcel: Parcel): number | null {
    const stage = shownStage(parcel);
    const position = stage === 'out-for-delivery' ? this.#tourOf(parcel) : null;
    this.change(stage, position, 1);
    return position;
  }

  /** Counts so many more at a stage, or on a tour. */
  change(stage: ShownStage, position: number | null, by: number): void {
    const tour = position === null ? undefined : this.tours[position];
    if (tour !== undefined) tour[2] += by;
    else {
      // A tour that is postponed is none.
      const counted = position === postponed ? 'in-transit' : stage;
      this.counts.set(counted, (this.counts.get(counted) ?? 0) + by);
    }
  }

  #tourOf(parcel: Parcel): number {
    const tour = tourDay(parcel, (at) => dayInZone(at, this.#zone));
    if (tour === null) return postponed;
    const key = keyOf(tour.day, tour.offset);
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    this.#positions.set(key, this.tours.length);
    return this.tours.push([tour.day, tour.offset, 0]) - 1;
  }
}

const keyOf = (day: number | null, offset: number | null): string => `${day} ${offset}`;
