import type { EpochMs } from '../../service/clock/clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { differences } from '../../watchlist/model/parcel-differences.ts';
import { once } from '../once.ts';
import { nextTourEnd } from '../time/next-change.ts';
import { type CountInput, type StageCounts, stageCounts } from './header-counts.ts';

/** What was counted, and from when until when it holds while the parcels stay the same. */
interface Kept extends CountInput {
  readonly counts: StageCounts;
  /** Found when it is first asked for: a frame that is drawn once needs it not. */
  readonly until: () => EpochMs | null;
}

/** Counts parcels by what has changed of them, since to count all of a long list takes longer than a frame. */
export class KeptCounts {
  #kept: Kept | null = null;

  /** As `stageCounts`. */
  count(input: CountInput): StageCounts {
    const kept = this.#usable(input);
    this.#kept = kept === null ? countAll(input) : countedAgain(kept, input);
    return this.#kept.counts;
  }

  /** As `nextTourEnd` of what was counted last: when the counts change by the passing of time; null for never. */
  get until(): EpochMs | null {
    return this.#kept?.until() ?? null;
  }

  #usable({ now, zone }: CountInput): Kept | null {
    const kept = this.#kept;
    if (kept === null || kept.zone !== zone || now < kept.now) return null;
    const until = kept.until();
    return until === null || now < until ? kept : null;
  }
}

const countAll = (input: CountInput): Kept => ({
  ...input,
  counts: stageCounts(input),
  until: once(() => nextTourEnd(input.parcels, input.now)),
});

function countedAgain(kept: Kept, input: CountInput): Kept {
  if (kept.parcels === input.parcels) return kept;
  const changes = differences(kept.parcels, input.parcels);
  const of = (parcels: readonly (Parcel | null)[]): CountInput => ({
    ...input,
    parcels: parcels.filter((parcel) => parcel !== null),
  });
  const gone = stageCounts(of(changes.map(({ before }) => before)));
  const come = of(changes.map(({ after }) => after));
  const added = stageCounts(come);
  const found = new Map(kept.counts.found);
  for (const [stage, count] of added.found) found.set(stage, (found.get(stage) ?? 0) + count);
  for (const [stage, count] of gone.found) found.set(stage, (found.get(stage) ?? 0) - count);
  const ends = [kept.until(), nextTourEnd(come.parcels, input.now)].filter((end) => end !== null);
  return {
    ...input,
    now: kept.now,
    counts: { found, unread: kept.counts.unread + added.unread - gone.unread },
    until: () => (ends.length === 0 ? null : Math.min(...ends)),
  };
}
