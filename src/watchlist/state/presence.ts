/** Who works on the same watchlist. */
export interface Company {
  /** Who polls; null while nobody does. */
  readonly checkedBy: CheckedBy | null;
  /** Boards that are open, on all hosts, ours included. */
  readonly boards: number;
}

/** The process that polls. */
export interface CheckedBy {
  /** The name of its host, safe to be shown. */
  readonly host: string;
  /** Whether it is this very process. */
  readonly isUs: boolean;
}

/** Port to where several hosts say that they are there. Methods reject with a `StoreError`. */
export interface Presence {
  /** Says that we are there, and who else is. To be called every few seconds: who has not for a minute counts as gone. */
  look(): Promise<Company>;
  /** Says that we are gone; harmless when we never were there. */
  leave(): Promise<void>;
}
