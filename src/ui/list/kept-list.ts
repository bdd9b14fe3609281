import { KeptCounts } from '../../board/header/kept-counts.ts';
import type { Arrangement } from '../../board/list/arrange.ts';
import { KeptArrangement } from '../../board/list/kept-arrangement.ts';
import { KeptNeeds } from '../../board/list/kept-needs.ts';
import type { ColumnNeeds } from '../../board/list/list-columns.ts';
import { once } from '../../board/once.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { type UsualStillness, usualStillness, usualStillnessSince } from '../../watchlist/rules/usual-stillness.ts';
import type { ListedParcels } from '../../watchlist/state/view-memory.ts';

/**
 * What was computed of all parcels, from which the next frame goes on: of a long list it takes longer to compute than to draw.
 * The frame that stands before Ink is there begins it.
 */
export class KeptList {
  readonly arrangement = new KeptArrangement();
  readonly counts = new KeptCounts();
  readonly #needs = new KeptNeeds();
  #still: Parameters<typeof usualStillnessSince>[0] | null = null;

  /** For how long parcels usually stand still; the same object while nothing of that changes. */
  usual(parcels: readonly Parcel[]): UsualStillness {
    const usual = this.#still === null ? usualStillness(parcels) : usualStillnessSince(this.#still, parcels);
    this.#still = { parcels, usual };
    return usual;
  }

  /** What the columns need: they stay where they are while a filter is typed, since they fit what is listed without it. */
  needs(
    parcels: readonly Parcel[],
    { grouping, unfiltered }: Arrangement,
    listed: ListedParcels,
    viewing: Viewing,
  ): () => ColumnNeeds {
    const hasStageHeadings = grouping === 'stage';
    const source = { parcels, listed: unfiltered, isArchive: listed === 'archive' };
    return once(() => this.#needs.of({ ...source, viewing: { ...viewing, hasStageHeadings } }));
  }
}
