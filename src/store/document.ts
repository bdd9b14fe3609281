/**
 * A small piece of JSON that all processes share which use a watchlist. Methods reject with a `StoreError`.
 */
export interface Document<Data> {
  /** What it holds; of one that is missing or damaged what its reader makes of nothing. */
  read(): Promise<Data>;
  /**
   * Applies a change to the newest data and writes what comes of it; returns that. A change that returns its argument writes
   * nothing; it may be applied several times.
   */
  update(change: (current: Data) => Data, options?: UpdateOptions): Promise<Data>;
  /** Set where hosts share it: what cannot be read or written there must not be decided by one host alone. */
  readonly isBinding?: true;
}

/** On what condition a change is written. */
export interface UpdateOptions {
  /**
   * The number of the lease under which the change is decided: rejects with a `LeaseLostError` where another host has a newer
   * one. Null or left out where it does not matter; files know no numbers.
   */
  readonly fence?: number | null;
}

/** A document that lasts as long as the program runs: for the demo, simulations and tests. */
export function createMemoryDocument<Data>(initial: Data): Document<Data> {
  let data = initial;
  return {
    read: async () => data,
    update: async (change) => {
      data = change(data);
      return data;
    },
  };
}
