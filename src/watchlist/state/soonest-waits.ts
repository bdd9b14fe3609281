import type { EpochMs } from '../../service/clock/clock.ts';

/** A parcel's wait, in an order that JSON keeps: when it is due, and until when it may be held for others; null for one that is due at once. */
export type KeptWait = readonly [due: EpochMs, latest: EpochMs] | null;

/** Of a watchlist what says when the next call goes out. */
export interface SoonestWaits {
  /** Of those that are to be registered and to be queried, soonest first: enough for one call. */
  readonly register: readonly KeptWait[];
  readonly query: readonly KeptWait[];
  /** Before this instant a plan is further ahead than plans go, and counts as due. */
  readonly plausibleFrom: EpochMs;
}
