import type { EpochMs } from '../lib/clock.ts';
import type { ServiceErrorKind } from '../service/errors.ts';

/** The programs that use the same watchlist. */
export interface Company {
  /** Which program polls; null if none does. */
  readonly checkedBy: CheckedBy | null;
  /** Open boards on all hosts, including ours. */
  readonly boards: number;
}

interface CheckedBy {
  /** The name of its host, safe to show. */
  readonly host: string;
  readonly isUs: boolean;
}

/** Announces programs on several hosts to each other. Methods reject with a `StoreError`. */
export interface Presence {
  /**
   * Announces us and returns the other programs. Call it every few seconds: a program that is silent for a minute
   * counts as gone.
   */
  look(): Promise<Company>;
  /** Removes our announcement. Does nothing if there is none. */
  leave(): Promise<void>;
}

/** Why we cannot use the service. */
export interface PollingProblem {
  readonly kind: ServiceErrorKind | 'store';
  /** A sentence for the user with what to do next. */
  readonly message: string;
  readonly code: string | null;
  readonly traceId: string | null;
  /** True if only registrations fail: queries go on. */
  readonly isRegistering?: true;
}

/** Why due parcels wait: the user's own budget is used up, or the account's credit for registrations. */
export interface BudgetPause {
  /** Two sentences for the user: which budget is used up, what waits and until when; what to do. */
  readonly message: string;
  /** A short form, e.g. `50 of 50 registrations used; 3 wait`. */
  readonly short: string;
  /** When checks resume automatically. */
  readonly resumesAt: EpochMs;
  /** How many parcels come due before that. */
  readonly waiting: number;
}

/** The state of polling, to show. */
export interface PollingState {
  /**
   * `off`: never started (no key). `waiting`: sleeps until `nextPollAt`. `checking`: a request is running.
   * `backing-off`: the last request failed, retry at `nextPollAt`. `stopped`: needs the user (key, quota), see
   * `problem`.
   */
  readonly phase: 'off' | 'waiting' | 'checking' | 'backing-off' | 'stopped';
  /** When the next request goes out; null if none is due. */
  readonly nextPollAt: EpochMs | null;
  /** When the service last answered successfully. */
  readonly lastAnswerAt: EpochMs | null;
  /** Requests sent since the start of this run. */
  readonly callsSent: number;
  /** Queries of this UTC day, by all processes. */
  readonly queriesToday: number;
  /** True while the user has paused polling; a refresh still sends requests. */
  readonly paused: boolean;
  /** True while another process polls and this one shows its results. */
  readonly isFollowing: boolean;
  /** Who polls, and how many boards are open; null while this is unknown, absent if there can be no other host. */
  readonly company?: Company | null;
  /** Null while the budget lasts. */
  readonly budget: BudgetPause | null;
  readonly problem: PollingProblem | null;
  /**
   * The time at which the database of the watchlist became unreachable; null if it is reachable or there is no
   * database.
   */
  readonly cutOffSince: EpochMs | null;
  /** Why we cannot write, as a sentence with what to do; null if we can. */
  readonly readOnly: string | null;
}

/** The state of polling that was never started. */
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
