import type { Monitor } from '../../polling/core/state.ts';
import { messageOf } from '../../service/failures/thrown.ts';
import { LatestMap } from '../../watchlist/model/latest-map.ts';
import { isLight } from '../../watchlist/model/light-parcel.ts';
import type { Parcel, ParcelHistory } from '../../watchlist/model/parcel.ts';

/** The history of a parcel as far as it could be read. */
export interface LoadedHistory {
  /** Null when it cannot be read; see `problem`. */
  readonly history: ParcelHistory | null;
  /** A sentence for the user. */
  readonly problem: string | null;
}

interface Kept {
  readonly edition: string;
  /** The parcel of which it was read, and the same as a whole where it was a light one. */
  readonly of: Parcel;
  readonly whole: Parcel | null;
  readonly loaded: LoadedHistory;
}

/** Histories kept; moving about a list reads each once. */
const mostKept = 64;

/** What changes when a history has news. */
const editionOf = (parcel: Parcel): string => `${parcel.checkpointCount} ${parcel.checkedAt}`;

/** Reads histories through the core and keeps the last ones, so that a selection is drawn whole at once. */
export class HistoryCache {
  readonly #monitor: Monitor;
  readonly #kept = new LatestMap<string, Kept>(mostKept);

  constructor(monitor: Monitor) {
    this.#monitor = monitor;
  }

  /** What is kept of a parcel's history, perhaps of before its newest record; null when nothing is. */
  peek(parcel: Parcel): LoadedHistory | null {
    return this.#kept.get(parcel.id)?.loaded ?? null;
  }

  /** Whether what is kept is of the parcel's newest record. */
  isFresh(parcel: Parcel): boolean {
    const kept = this.#kept.get(parcel.id);
    return kept?.edition === editionOf(parcel) && (!isLight(parcel) || kept.of === parcel);
  }

  /** The parcel with what only details show, where that has been read; else as it is. */
  wholeOf(parcel: Parcel): Parcel {
    const kept = this.#kept.get(parcel.id);
    return kept?.of === parcel ? (kept.whole ?? parcel) : parcel;
  }

  /** Reads a parcel's history, and what it lacks where it is a light one; it rejects with nothing, a failure is part of the answer. */
  async load(parcel: Parcel): Promise<LoadedHistory> {
    const edition = editionOf(parcel);
    const [loaded, whole] = await Promise.all([this.#read(parcel.id), this.#readWhole(parcel)]);
    this.#kept.set(parcel.id, { edition, loaded, of: parcel, whole });
    return loaded;
  }

  /** What cannot be read is said of the history; without it the parcel is shown as it is. */
  async #readWhole(parcel: Parcel): Promise<Parcel | null> {
    if (!isLight(parcel)) return null;
    const [whole = null] = await this.#monitor.whole([parcel.id]).catch(() => []);
    return whole;
  }

  async #read(parcelId: string): Promise<LoadedHistory> {
    try {
      return { history: await this.#monitor.history(parcelId), problem: null };
    } catch (error) {
      return { history: null, problem: messageOf(error) };
    }
  }
}
