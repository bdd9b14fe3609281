import type { EpochMs } from '../lib/clock.ts';
import type { ServiceErrorKind } from '../service/errors.ts';

/** Who works on the same watchlist. */
export interface Company {
  /** Who polls; null while nobody does. */
  readonly checkedBy: CheckedBy | null;
  /** Boards that are open, on all hosts, ours included. */
  readonly boards: number;
}

interface CheckedBy {
  /** The name of its host, safe to be shown. */
  readonly host: string;
  readonly isUs: boolean;
}

/** Port to where several hosts say that they are there. Methods reject with a `StoreError`. */
export interface Presence {
  /** Says that we are there, and who else is. To be called every few seconds: who has not for a minute counts as gone. */
  look(): Promise<Company>;
  /** Says that we are gone; harmless when we never were there. */
  leave(): Promise<void>;
}

/** What stands between us and the service. */
export interface PollingProblem {
  readonly kind: ServiceErrorKind | 'store';
  /** A sentence for the user with what to do next. */
  readonly message: string;
  readonly code: string | null;
  readonly traceId: string | null;
  /** True when only registrations fail: queries go on. */
  readonly isRegistering?: true;
}

/** Why parcels wait that are due: the user's own budget is used up, or the account's credit for registrations. */
export interface BudgetPause {
  /** A sentence for the user: which budget, when it starts again, what waits. */
  readonly message: string;
  /** The same in a few words, e.g. `50 of 50 registrations used; 3 wait`. */
  readonly short: string;
  /** When checks resume by themselves. */
  readonly resumesAt: EpochMs;
  /** How many parcels come due before that. */
  readonly waiting: number;
}

/** How the polling goes, for whoever shows it. */
export interface PollingState {
  /**
   * `off`: never started (no key). `waiting`: sleeps until `nextPollAt`. `checking`: a call is under way.
   * `backing-off`: the last call failed, next try at `nextPollAt`. `stopped`: needs the user (key, quota), see `problem`.
   */
  readonly phase: 'off' | 'waiting' | 'checking' | 'backing-off' | 'stopped';
  /** When the next call goes out; null when nothing is due, ever. */
  readonly nextPollAt: EpochMs | null;
  /** When the service last gave a good answer. */
  readonly lastAnswerAt: EpochMs | null;
  /** Calls sent since the start of this run. */
  readonly callsSent: number;
  /** Queries of this UTC day, by all processes. */
  readonly queriesToday: number;
  /** True while the user has paused the polling; a refresh still calls. */
  readonly paused: boolean;
  /** True while another process polls, and this one shows what it finds. */
  readonly isFollowing: boolean;
  /** Who polls, and how many boards are open; null while that is not known, absent where no other host can be. */
  readonly company?: Company | null;
  /** Null while the budget lasts. */
  readonly budget: BudgetPause | null;
  readonly problem: PollingProblem | null;
  /** Since when the database of the watchlist cannot be reached; null while it can, and where there is none. */
  readonly cutOffSince: EpochMs | null;
  /** Why nothing can be written here, as a sentence with what to do; null where it can. */
  readonly readOnly: string | null;
}

/** Polling that has never been started. */
export const offPolling: PollingState = {
  phase: 'off',
  nextPollAt: null,
  lastAnswerAt: null,
  callsSent: 0,
  queriesToday: 0,
  paused: false,
  isFollowing: false,
  budget: null,
  problem: null,
  cutOffSince: null,
  readOnly: null,
};
