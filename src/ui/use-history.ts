import { useEffect, useState } from 'react';
import type { Monitor } from '../polling/state.ts';
import type { Parcel, ParcelHistory } from '../watchlist/parcel.ts';

/** The history of the selected parcel. */
export interface LoadedHistory {
  readonly parcelId: string;
  /** Null when it cannot be read; see `problem`. */
  readonly history: ParcelHistory | null;
  /** A sentence for the user. */
  readonly problem: string | null;
}

/** Reads the history of a parcel when it is selected and whenever its record has news. Null until it is read. */
export function useHistory(monitor: Monitor, parcel: Parcel | null): LoadedHistory | null {
  const [loaded, setLoaded] = useState<LoadedHistory | null>(null);
  const parcelId = parcel?.id ?? null;
  const edition = parcel === null ? '' : `${parcel.checkpointCount} ${parcel.checkedAt}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the edition says that there is something new to read
  useEffect(() => {
    if (parcelId === null) return;
    let isWanted = true;
    const keep = (next: LoadedHistory): void => {
      if (isWanted) setLoaded(next);
    };
    monitor.history(parcelId).then(
      (history) => keep({ parcelId, history, problem: null }),
      (error: unknown) =>
        keep({ parcelId, history: null, problem: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [monitor, parcelId, edition]);
  return loaded?.parcelId === parcelId ? loaded : null;
}
