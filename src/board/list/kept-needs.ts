import type { EpochMs } from '../../service/clock/clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { differences } from '../../watchlist/model/parcel-differences.ts';
import { columnNeeds, widest } from './column-needs.ts';
import type { ColumnNeeds } from './list-columns.ts';

type Viewing = Parameters<typeof columnNeeds>[1];

/** What columns are measured of. */
export interface NeedsSource {
  /** All parcels of the watchlist, in its order. */
  readonly parcels: readonly Parcel[];
  /** Those that are listed. */
  readonly listed: readonly Parcel[];
  /** Whether the list is the archive. */
  readonly isArchive: boolean;
  readonly viewing: Viewing;
}

/** From so many parcels on, to measure all of them takes longer than a frame. */
const longList = 2_000;

/** How long a measure of a long list holds beside what changes in it, in milliseconds: texts become a little longer by time. */
const holdsMs = 60 * 60_000;

interface Kept extends NeedsSource {
  readonly measuredAt: EpochMs;
  readonly needs: ColumnNeeds;
}

/**
 * What the columns of a long list need, by what has changed in it. They become wider with that, and narrower only when all of
 * it is measured again, about once an hour: columns that move while one reads are no help.
 */
export class KeptNeeds {
  #kept: Kept | null = null;

  /** As `columnNeeds` of what is listed. */
  of(source: NeedsSource): ColumnNeeds {
    const { listed, viewing } = source;
    this.#kept = this.#again(source) ?? {
      ...source,
      measuredAt: viewing.now,
      needs: columnNeeds(listed, viewing),
    };
    return this.#kept.needs;
  }

  #again(source: NeedsSource): Kept | null {
    const kept = this.#kept;
    const { isArchive, listed, parcels, viewing } = source;
    if (kept === null || kept.isArchive !== isArchive) return null;
    const { hasStageHeadings, now, usual, zone } = viewing;
    const isSame =
      kept.viewing.zone === zone &&
      kept.viewing.usual === usual &&
      kept.viewing.hasStageHeadings === hasStageHeadings &&
      Math.abs(now - kept.measuredAt) < holdsMs;
    if (!isSame) return null;
    if (kept.listed === listed && kept.viewing.now === now) return kept;
    if (listed.length < longList) return null;
    const changes = differences(kept.parcels, parcels);
    if (changes.length > parcels.length / 50) return null;
    const come = changes.flatMap(({ after }) =>
      after !== null && (after.archivedAt !== null) === isArchive ? [after] : [],
    );
    return { ...source, measuredAt: kept.measuredAt, needs: widest(kept.needs, columnNeeds(come, viewing)) };
  }
}
