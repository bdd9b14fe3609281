import { dayMs, hourMs, minuteMs, secondMs } from '../../lib/clock.ts';

/** Default times, in milliseconds. */
export const defaultPollingPolicy = {
  /** Maximum jitter, added to a record's `nextUpdateTime`. */
  jitterMs: 5 * secondMs,
  /** How long a due parcel may be held for others. */
  coalesceMs: minuteMs,
  /** Jitter and hold are at most this share of a parcel's interval. */
  intervalShare: 1 / 60,
  /** An ended parcel, or one with at least this back-off, may be held for `patientShare` of its interval. */
  patientMs: hourMs,
  patientShare: 1 / 4,
  /** Waits after a registration, one per response without a record. */
  ladderMs: [2 * secondMs, 10 * secondMs, minuteMs] as readonly number[],
  ladderLastsMs: 10 * minuteMs,
  /** The wait after the ladder, while there is no record. */
  waitingMs: 10 * minuteMs,
  /** Number of such waits before they double, up to `fruitlessMaxMs`. */
  waitingPolls: 6,
  /** Minimum time between two automatic checks of a number, in milliseconds. 0 means no minimum. */
  minPauseMs: 5 * minuteMs,
  /** Waits after a response whose `nextUpdateTime` has passed, before the back-off. */
  oldRecordMs: [minuteMs, 5 * minuteMs] as readonly number[],
  /** How long a number must be unknown to the service before it is registered again, which may cost. */
  registerAgainMs: hourMs,
  /** The wait if `nextUpdateTime` passed before the response arrived. */
  passedMs: 2 * secondMs,
  /** Waits after a response without a usable `nextUpdateTime`, doubling. */
  fruitlessFirstMs: 30 * minuteMs,
  fruitlessMaxMs: 12 * hourMs,
  /** A `nextUpdateTime` that is further away is ignored. */
  farthestMs: 45 * dayMs,
  endedMinMs: dayMs,
  /** How long an ended parcel is polled according to its record, and how often afterwards. */
  endedFollowedMs: 7 * dayMs,
  endedLaterMs: 7 * dayMs,
  endedLeavesMs: 30 * dayMs,
  /** A query within this time confirms a push that ends or delays the checks. */
  confirmMs: dayMs,
  /** Maximum waits after failed calls: doubling, with full jitter. */
  failureFirstMs: 5 * secondMs,
  failureMaxMs: 15 * minuteMs,
  failureMinMs: secondMs,
  /** Waits after the account had no credit for a registration, doubling. */
  creditFirstMs: hourMs,
  creditMaxMs: 12 * hourMs,
  /** Maximum time that a rate limit of one lane pauses the other. */
  sharedPauseMs: minuteMs,
  retryAfterMaxMs: dayMs,
  maxTimerMs: hourMs,
  paceMs: 100,
  /** How often to read changes of the watchlist by other processes. */
  followMs: 0.8 * secondMs,
  /** How often to read the cool-down, pause and usage saved by other processes. */
  recallMs: 5 * secondMs,
  /** How often to look for parcels to archive. */
  archiveLookMs: 10 * minuteMs,
  /** How long responses may wait to be written together. They are lost if the process is killed. */
  writeTogetherMs: 2 * secondMs,
  /** Waits before a failed write is retried, doubling. */
  writeAgainFirstMs: 5 * secondMs,
  writeAgainMaxMs: minuteMs,
};

export type PollingPolicy = Readonly<typeof defaultPollingPolicy>;
