import type { EpochMs } from '../../service/clock/clock.ts';

/** What a watchlist consists of: parcels (archived ones and what is unread along with them), their histories, what was removed and the change log. */
export const copyKinds = ['parcels', 'histories', 'trash', 'changes'] as const;
/** One of {@link copyKinds}. */
export type CopyKind = (typeof copyKinds)[number];

/** One piece of a watchlist. */
export interface CopyItem {
  /** A parcel's id, a history's name, or the number of a line of the log; each once in its kind. */
  readonly id: string;
  /** Its place in the list of parcels, from 0; 0 where there is no order. */
  readonly position: number;
  /** When it was removed; null for what was not. */
  readonly removedAt: EpochMs | null;
  /** What it holds; nothing but JSON. */
  readonly value: object;
}

/** A watchlist to copy from or to, as a whole. All methods reject with a `StoreError`. */
export interface CopySide {
  /** Where it is, ready to be shown. */
  readonly place: string;
  /** The same text as long as nobody writes. */
  mark(): Promise<string>;
  /** How far the change log goes. */
  lastSeq(): Promise<number>;
  /** All of a kind, page by page; parcels in the order of the list, lines of the log in theirs. */
  pages(kind: CopyKind): AsyncIterable<readonly CopyItem[]>;
  /** What could not be used and is no part of the pages that were read, in sentences for the user, each once. */
  takeNotices(): readonly string[];
}

/** How a copy is begun. */
export interface BeginOptions {
  /** Called once when somebody else seems to copy to there: that takes some seconds to see. */
  readonly onWaiting?: () => void;
  /** Ends that wait. */
  readonly signal?: AbortSignal;
}

/** A watchlist to copy to. */
export interface CopyTarget extends CopySide {
  /**
   * Answers whether a copy from there had begun before and was interrupted; writes nothing. Rejects where it holds another
   * watchlist already, or cannot be written to.
   */
  check(from: string): Promise<boolean>;
  /**
   * Takes note that a copy from there has begun; answers and rejects as {@link CopyTarget.check}, and where another copy
   * goes on: from then on nobody else writes, and what they try is refused.
   */
  begin(from: string, options?: BeginOptions): Promise<boolean>;
  /** Writes those pieces that are not there yet as they are; answers how many those were. */
  write(kind: CopyKind, items: readonly CopyItem[]): Promise<number>;
  /** Removes what an interrupted copy has brought that is not among these any more. */
  keepOnly(kind: CopyKind, ids: ReadonlySet<string>): Promise<void>;
  /** Puts in place what can only be put there as a whole. */
  settle(lastSeq: number): Promise<void>;
  /** Takes note that the copy is complete. */
  finish(): Promise<void>;
  /** Lets others go on with a copy that is not complete; harmless for one that is. Never rejects. */
  leave(): Promise<void>;
}
