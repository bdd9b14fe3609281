import { dayMs, hourMs, minuteMs, secondMs } from '../../lib/clock.ts';

/** The default times of the polling, in milliseconds. */
export const defaultPollingPolicy = {
  /** Maximum jitter, added to a record's `nextUpdateTime`. */
  jitterMs: 5 * secondMs,
  /** Longest that a due parcel is held so that others come due for the same call. */
  coalesceMs: minuteMs,
  /** Jitter and hold are never more than this share of a parcel's own interval, so that fast ones are polled on time. */
  intervalShare: 1 / 60,
  /** A parcel whose back-off is at least this long, or that has ended, waits for others for so large a share of its interval. */
  patientMs: hourMs,
  patientShare: 1 / 4,
  /** Waits after a registration, one after each answer that brings no record yet. */
  ladderMs: [2 * secondMs, 10 * secondMs, minuteMs] as readonly number[],
  ladderLastsMs: 10 * minuteMs,
  /** The wait once the ladder is used up, while the service says nothing of a number; the first polls are so far apart. */
  waitingMs: 10 * minuteMs,
  /** How many such waits there are before they double, up to the longest fruitless one. */
  waitingPolls: 6,
  /** Least time between two automatic polls of one number; 0 for none. */
  leastMs: 5 * minuteMs,
  /** Waits after an answer that still was the record whose next update has passed; then as after any fruitless answer. */
  oldRecordMs: [minuteMs, 5 * minuteMs] as readonly number[],
  /** How long after its next update a record counts as one that comes late. */
  oldRecordLastsMs: dayMs,
  /** How long the service must not have known a number before it is sent to it once more, which may cost. */
  registerAgainMs: hourMs,
  /** The wait after an answer whose `nextUpdateTime` passed while it was on its way. */
  passedMs: 2 * secondMs,
  /** First and longest wait after an answer without a usable `nextUpdateTime`; doubles in between. */
  fruitlessFirstMs: 30 * minuteMs,
  fruitlessLongestMs: 12 * hourMs,
  /** A `nextUpdateTime` further away than this is not believed. */
  farthestMs: 45 * dayMs,
  endedLeastMs: dayMs,
  /** How long such a parcel is polled as its record plans, and how often later. */
  endedFollowedMs: 7 * dayMs,
  endedLaterMs: 7 * dayMs,
  endedLeavesMs: 30 * dayMs,
  /** Within which time a query confirms a push that ends the checks of a parcel or puts them off. */
  confirmMs: dayMs,
  /** Ceiling of the wait after the first failed call, and of all; doubles in between, drawn with full jitter. */
  failureFirstMs: 5 * secondMs,
  failureLongestMs: 15 * minuteMs,
  failureLeastMs: secondMs,
  /** First and longest wait after the account had no credit for a registration; doubles in between. */
  creditFirstMs: hourMs,
  creditLongestMs: 12 * hourMs,
  /** Longest time that a call of one lane waits because the service limits the calls of the other. */
  sharedPauseMs: minuteMs,
  retryAfterLongestMs: dayMs,
  longestTimerMs: hourMs,
  paceMs: 100,
  /** How often to look whether another process has written the watchlist: its changes show within a second. */
  followMs: 0.8 * secondMs,
  /** How often to read what other processes keep about the polling: cool-down, pause, usage. */
  recallMs: 5 * secondMs,
  /** How often to look for parcels that were delivered long enough ago to be archived. */
  archiveLookMs: 10 * minuteMs,
  /** How long the answers of one check may wait to be written together; a killed check asks for them again. */
  writeTogetherMs: 2 * secondMs,
  /** First and longest wait before a failed write is tried again; doubles in between. */
  writeAgainFirstMs: 5 * secondMs,
  writeAgainLongestMs: minuteMs,
};

export type PollingPolicy = Readonly<typeof defaultPollingPolicy>;
