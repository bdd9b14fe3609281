import { dayMs, hourMs, minuteMs, secondMs } from '../../lib/clock.ts';

/** Default timings, in milliseconds. */
export const defaultPollingPolicy = {
  /** Maximum jitter, added to a record's `nextUpdateTime`. */
  jitterMs: 5 * secondMs,
  /** How long a due parcel may wait for others. */
  coalesceMs: minuteMs,
  /** Jitter and this wait are at most this share of a parcel's interval. */
  intervalShare: 1 / 60,
  /** An ended parcel, or one that backs off for at least this long, may wait for `patientShare` of its interval. */
  patientMs: hourMs,
  patientShare: 1 / 4,
  /** Delays after a registration, one per response without a record. */
  ladderMs: [2 * secondMs, 10 * secondMs, minuteMs] as readonly number[],
  ladderLastsMs: 10 * minuteMs,
  /** The delay after the ladder, while there is no record. */
  waitingMs: 10 * minuteMs,
  /** Number of these delays before they double, up to `fruitlessMaxMs`. */
  waitingPolls: 6,
  /** Minimum time between two automatic checks of a number, in milliseconds. 0 means no minimum. */
  minPauseMs: 5 * minuteMs,
  /** Delays after a response whose `nextUpdateTime` has passed, before the back-off. */
  oldRecordMs: [minuteMs, 5 * minuteMs] as readonly number[],
  /** How long the service must not have known a number before it is registered again, which may cost credit. */
  registerAgainMs: hourMs,
  /** The delay if `nextUpdateTime` passed before the response arrived. */
  passedMs: 2 * secondMs,
  /** Delays after a response without a usable `nextUpdateTime`, doubling. */
  fruitlessFirstMs: 30 * minuteMs,
  fruitlessMaxMs: 12 * hourMs,
  /** A `nextUpdateTime` that is further in the future is ignored. */
  farthestMs: 45 * dayMs,
  endedMinMs: dayMs,
  /** How long an ended parcel is polled according to its record, and the interval after that. */
  endedFollowedMs: 7 * dayMs,
  endedLaterMs: 7 * dayMs,
  endedLeavesMs: 30 * dayMs,
  /** Within this time, a query confirms a push that ends or delays the checks. */
  confirmMs: dayMs,
  /** Ceilings for delays after failed calls: doubling, with full jitter. */
  failureFirstMs: 5 * secondMs,
  failureMaxMs: 15 * minuteMs,
  failureMinMs: secondMs,
  /** Delays after the account had no credit for a registration, doubling. */
  creditFirstMs: hourMs,
  creditMaxMs: 12 * hourMs,
  /** How long a rate limit in one lane may pause the other. */
  sharedPauseMs: minuteMs,
  retryAfterMaxMs: dayMs,
  maxTimerMs: hourMs,
  paceMs: 100,
  /** How often to pick up watchlist changes made by other processes. */
  followMs: 0.8 * secondMs,
  /** How often to read the cool-downs, pause and usage saved by other processes. */
  reloadMs: 5 * secondMs,
  /** How often to look for parcels to archive. */
  archiveLookMs: 10 * minuteMs,
  /** How long to collect responses before writing them together. If the process is killed, they are lost. */
  writeTogetherMs: 2 * secondMs,
  /** Delays before a failed write is retried, doubling. */
  writeAgainFirstMs: 5 * secondMs,
  writeAgainMaxMs: minuteMs,
};

export type PollingPolicy = Readonly<typeof defaultPollingPolicy>;
