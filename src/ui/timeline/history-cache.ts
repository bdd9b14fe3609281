import type { Monitor } from '../../polling/core/state.ts';
import type { Parcel, ParcelHistory } from '../../watchlist/model/parcel.ts';

/** The history of a parcel as far as it could be read. */
export interface LoadedHistory {
  readonly parcelId: string;
  /** Null when it cannot be read; see `problem`. */
  readonly history: ParcelHistory | null;
  /** A sentence for the user. */
  readonly problem: string | null;
}

interface Kept {
  readonly edition: string;
  readonly loaded: LoadedHistory;
}

/** Histories kept; moving about a list reads each once. */
const mostKept = 64;

/** What changes when a history has news. */
const editionOf = (parcel: Parcel): string => `${parcel.checkpointCount} ${parcel.checkedAt}`;

/** Reads histories through the core and keeps the last ones, so that a selection is drawn whole at once. */
export class HistoryCache {
  readonly #monitor: Monitor;
  readonly #kept = new Map<string, Kept>();

  constructor(monitor: Monitor) {
    this.#monitor = monitor;
  }

  /** Whether this monitor's histories are kept. */
  isOf(monitor: Monitor): boolean {
    return this.#monitor === monitor;
  }

  /** What is kept of a parcel's history, perhaps of before its newest record; null when nothing is. */
  peek(parcel: Parcel): LoadedHistory | null {
    return this.#kept.get(parcel.id)?.loaded ?? null;
  }

  /** Whether what is kept is of the parcel's newest record. */
  isFresh(parcel: Parcel): boolean {
    return this.#kept.get(parcel.id)?.edition === editionOf(parcel);
  }

  /** Reads a parcel's history; it rejects with nothing, a failure is part of the answer. */
  async load(parcel: Parcel): Promise<LoadedHistory> {
    const edition = editionOf(parcel);
    const loaded = await this.#read(parcel.id);
    this.#kept.delete(parcel.id);
    this.#kept.set(parcel.id, { edition, loaded });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    return loaded;
  }

  async #read(parcelId: string): Promise<LoadedHistory> {
    try {
      return { parcelId, history: await this.#monitor.history(parcelId), problem: null };
    } catch (error) {
      return { parcelId, history: null, problem: error instanceof Error ? error.message : String(error) };
    }
  }
}
