import type { EpochMs } from '../../service/clock/clock.ts';
import { LatestMap } from '../../watchlist/model/latest-map.ts';
import type { Parcel, ParcelHistory } from '../../watchlist/model/parcel.ts';

/** Histories kept: a call answers about 100 parcels, and each may hold a page of text. */
const mostKept = 128;

interface KeptHistory {
  readonly history: ParcelHistory;
  readonly checkedAt: EpochMs;
}

/** Histories that this process has merged last: whoever shows one need not read from the disk what was just written there. */
export class RecentHistories {
  readonly #kept = new LatestMap<string, KeptHistory>(mostKept);

  /** Keeps a history as it is written, of a parcel that was checked at `checkedAt`. */
  keep(historyId: string, history: ParcelHistory, checkedAt: EpochMs): void {
    this.#kept.set(historyId, { history, checkedAt });
  }

  /** The history of a parcel; null when none is kept, and when the parcel was checked at another time, by whichever process. */
  of(historyId: string, { checkedAt }: Pick<Parcel, 'checkedAt'>): ParcelHistory | null {
    const kept = this.#kept.get(historyId);
    return kept !== undefined && checkedAt !== null && Date.parse(checkedAt) === kept.checkedAt ? kept.history : null;
  }
}
