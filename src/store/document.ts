/** A small JSON document shared by all processes of a watchlist. Methods reject with a `StoreError`. */
export interface Document<Data> {
  /** Resolves with the data; a missing or damaged document reads as empty. */
  read(): Promise<Data>;
  /**
   * Applies a change to the newest data, writes and returns the result. Writes nothing if the change returns its
   * argument. The change may be applied several times.
   */
  update(change: (current: Data) => Data, options?: UpdateOptions): Promise<Data>;
  /** Set if hosts share it: a host that cannot read or write it must not act on its own. */
  readonly isBinding?: true;
}

export interface UpdateOptions {
  /**
   * The lease number of the change: rejects with a `LeaseLostError` if another host has a newer one. Null or
   * absent if no lease is needed; files ignore it.
   */
  readonly fence?: number | null;
}

/** A document in memory, for the demo, simulations and tests. */
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
