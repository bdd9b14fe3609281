/** All times of the polling, in milliseconds. */
export interface PollingPolicy {
  /** Maximum jitter, added to a record's `nextUpdateTime`. */
  readonly jitterMs: number;
  /** Longest that a due parcel is held so that others come due for the same call. */
  readonly coalesceMs: number;
  /** Jitter and hold are never more than this share of a parcel's own interval, so that fast ones are polled on time. */
  readonly intervalShare: number;
  /** Waits after a registration, one after each answer that brings no record yet. */
  readonly ladderMs: readonly number[];
  /** The wait once the ladder is used up, until the service has a record with a next update. */
  readonly waitingMs: number;
  /** How long a registration that the service does not know in its queries yet is polled that often. */
  readonly indexingMs: number;
  /** The wait after that, for as long as it takes. */
  readonly longIndexingMs: number;
  /** How long the service must not have known a number before it is sent to it once more, which may cost. */
  readonly registerAgainMs: number;
  /** The wait after an answer whose `nextUpdateTime` passed while it was on its way. */
  readonly passedMs: number;
  /** First and longest wait after an answer without a usable `nextUpdateTime`; doubles in between. */
  readonly fruitlessFirstMs: number;
  readonly fruitlessLongestMs: number;
  /** A `nextUpdateTime` further away than this is not believed. */
  readonly farthestMs: number;
  /** When a delivered parcel is polled once more. */
  readonly confirmDeliveredMs: number;
  /** Ceiling of the wait after the first failed call, and of all; doubles in between, drawn with full jitter. */
  readonly failureFirstMs: number;
  readonly failureLongestMs: number;
  /** Least wait after a failed call, whatever chance says. */
  readonly failureLeastMs: number;
  /** Longest `Retry-After` that is believed. */
  readonly retryAfterLongestMs: number;
  /** Longest timer; what is further away is looked at again in between. */
  readonly longestTimerMs: number;
  /** Least pause between two rounds of calls. */
  readonly paceMs: number;
  /** How often to look whether another process has written the watchlist: its changes show within a second. */
  readonly followMs: number;
  /** How often to read what other processes keep about the polling: cool-down, pause, usage. */
  readonly recallMs: number;
  /** How often to look for parcels that were delivered long enough ago to be archived. */
  readonly archiveLookMs: number;
  /**
   * How long the answers of one check may wait to be written together: of a check that is killed, what was answered this
   * recently is asked again. Each history is written at once, and so are answers by a store that writes only what has changed.
   */
  readonly writeTogetherMs: number;
  /** First and longest wait before a failed write is tried again; doubles in between. */
  readonly writeAgainFirstMs: number;
  readonly writeAgainLongestMs: number;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The default times. */
export const defaultPollingPolicy: PollingPolicy = {
  jitterMs: 5 * second,
  coalesceMs: minute,
  intervalShare: 1 / 60,
  ladderMs: [2 * second, 10 * second, minute],
  waitingMs: 10 * minute,
  indexingMs: day,
  longIndexingMs: 6 * hour,
  registerAgainMs: hour,
  passedMs: 2 * second,
  fruitlessFirstMs: 30 * minute,
  fruitlessLongestMs: 12 * hour,
  farthestMs: 45 * day,
  confirmDeliveredMs: day,
  failureFirstMs: 5 * second,
  failureLongestMs: 15 * minute,
  failureLeastMs: second,
  retryAfterLongestMs: day,
  longestTimerMs: hour,
  paceMs: 100,
  followMs: 0.8 * second,
  recallMs: 5 * second,
  archiveLookMs: 10 * minute,
  writeTogetherMs: 2 * second,
  writeAgainFirstMs: 5 * second,
  writeAgainLongestMs: minute,
};
