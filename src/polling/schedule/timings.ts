import { dayMs, type EpochMs, hourMs, minuteMs, secondMs } from '../../lib/clock.ts';
import { parseInstant } from '../../lib/date-time.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { maxRetryAfterMs } from '../../service/port.ts';
import type { TrackingRecord } from '../../service/record.ts';
import { parseServiceTime, type ServiceClock } from '../../service/service-clock.ts';
import type { ServiceLag } from '../../store/shared-state.ts';

/** Default timings, in milliseconds. */
export const defaultPollingPolicy = {
  /** Maximum jitter that is added to a record's `nextUpdateTime`. */
  jitterMs: 5 * secondMs,
  /** How long a due parcel may wait for others to join its batch. */
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
  /** How many of these delays there are before they double, up to `fruitlessMaxMs`. */
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
  /** How soon a query must confirm a push that ends or delays the checks. */
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
  retryAfterMaxMs: maxRetryAfterMs,
  maxTimerMs: hourMs,
  paceMs: 100,
  /** How often to pick up watchlist changes made by other processes. */
  followMs: 0.8 * secondMs,
  /** How often to read the cool-downs, pause and usage saved by other processes. */
  reloadMs: 5 * secondMs,
  archiveCheckMs: 10 * minuteMs,
  /** How long to collect responses before writing them together. If the process is killed, they are lost. */
  writeTogetherMs: 2 * secondMs,
  /** Delays before a failed write is retried, doubling. */
  writeRetryFirstMs: 5 * secondMs,
  writeRetryMaxMs: minuteMs,
};

export type PollingPolicy = Readonly<typeof defaultPollingPolicy>;

/** A longer lag means an outage, so we do not learn from it. */
const maxLagMs = hourMs;
/** Added to observed lags, because the service rounds its times to seconds. */
const marginMs = secondMs;
/** A probe queries after this share of the known lag. */
const probeShare = 0.75;
/** A lag up to this is short enough not to be probed. */
const shortLagMs = 10 * secondMs;
const maxProbePauseMs = 16 * dayMs;
/** The lag is too short if more than this share of records come late. */
const lateShare = 1 / 8;
/** After this many responses, the counts are halved, so that recent ones weigh more. */
const rememberedSamples = 32;

export const noLag: ServiceLag = { ms: 0, least: 0, former: null, probeAt: null, probePauseMs: dayMs };

interface LagObservation {
  /** Milliseconds from the record's `nextUpdateTime` to the query. */
  readonly elapsedMs: number;
  /** The same for a previous query that still returned the old record. Null if there was none since `nextUpdateTime`. */
  readonly previousMs: number | null;
  readonly isNew: boolean;
}

interface SentQuery {
  readonly sentAt: EpochMs;
  readonly serviceClock: ServiceClock;
  readonly skewMs: number;
}

/**
 * Returns what a query shows about the lag. Null if it was sent earlier than planned or without a plan, or if the new
 * plan has also passed, because such a service does not plan ahead.
 */
export function observeLag(
  sent: Parcel,
  { nextUpdateTime }: Pick<TrackingRecord, 'nextUpdateTime'>,
  { sentAt, serviceClock, skewMs }: SentQuery,
): LagObservation | null {
  const text = sent.record?.nextUpdateTime ?? null;
  const announcedAt = parseServiceTime(text, serviceClock);
  const dueAt = parseInstant(sent.nextPollAt);
  if (announcedAt === null || dueAt === null || sentAt < dueAt) return null;
  const isNew = nextUpdateTime !== text;
  const next = parseServiceTime(nextUpdateTime, serviceClock);
  if (isNew && next !== null && next - skewMs <= sentAt) return null;
  const plannedAt = announcedAt - skewMs;
  const checkedAt = parseInstant(sent.checkedAt);
  const hadOldRecord = sent.fruitlessPolls > 0 && checkedAt !== null && checkedAt >= plannedAt;
  return {
    elapsedMs: sentAt - plannedAt,
    previousMs: hadOldRecord ? checkedAt - plannedAt : null,
    isNew,
  };
}

/**
 * Learns how long after `nextUpdateTime` records change. The lag grows when records come late, unless many others come on
 * time. From time to time, an earlier query then probes a shorter lag: hourly at first, then daily, and less often after
 * each failure.
 */
export class LagLearner {
  #onTime = 0;
  #late = 0;

  learn(lag: ServiceLag, observations: readonly LagObservation[], now: EpochMs): ServiceLag {
    return observations.reduce((current, observation) => this.#next(current, observation, now), lag);
  }

  #next(lag: ServiceLag, { elapsedMs, isNew, previousMs }: LagObservation, now: EpochMs): ServiceLag {
    if (elapsedMs < 0 || elapsedMs > maxLagMs) return lag;
    if (isProbe(lag, elapsedMs)) {
      if (isNew) {
        const shorterLag = { ...lag, ms: elapsedMs + marginMs, least: Math.min(lag.least, elapsedMs), former: lag.ms };
        return this.#startOver({
          ...shorterLag,
          probePauseMs: dayMs,
          probeAt: now + (isRough(shorterLag) ? hourMs : dayMs),
        });
      }
      const narrowedLag = { ...lag, least: Math.max(lag.least, elapsedMs) };
      const probePauseMs = isRough(lag) ? lag.probePauseMs : Math.min(maxProbePauseMs, lag.probePauseMs * 2);
      return { ...narrowedLag, probePauseMs, probeAt: now + (isRough(narrowedLag) ? hourMs : probePauseMs) };
    }
    // The response after a failed probe says nothing about the lag.
    if (!isNew || (previousMs !== null && isProbe(lag, previousMs))) return lag;
    this.#count(previousMs !== null);
    // One late record does not raise a known lag: a new process does not know how many records were on time before.
    const toleratedLate = lag.ms === 0 || lag.former !== null ? 0 : 1;
    if (this.#late <= Math.max(toleratedLate, (this.#onTime + this.#late) * lateShare)) return lag;
    // If a probe shortened the lag too much, go back to the former one.
    const isTooShort = lag.former !== null && lag.former > lag.ms;
    const ms = isTooShort ? (lag.former ?? 0) : Math.max(lag.ms, elapsedMs + marginMs);
    const min = isTooShort ? lag.ms : (previousMs ?? lag.least);
    const probePauseMs = isTooShort ? Math.min(maxProbePauseMs, lag.probePauseMs * 2) : lag.probePauseMs;
    const longerLag = { ms, least: min, former: null, probePauseMs };
    return this.#startOver({ ...longerLag, probeAt: now + (isRough(longerLag) ? hourMs : probePauseMs) });
  }

  #count(isLate: boolean): void {
    if (this.#onTime + this.#late >= rememberedSamples) {
      this.#onTime /= 2;
      this.#late /= 2;
    }
    if (isLate) this.#late += 1;
    else this.#onTime += 1;
  }

  #startOver(lag: ServiceLag): ServiceLag {
    this.#onTime = 0;
    this.#late = 0;
    return lag;
  }
}

const isProbe = (lag: ServiceLag, elapsedMs: number): boolean => elapsedMs < (lag.ms + probeLag(lag)) / 2;

const isRough = ({ least, ms }: Pick<ServiceLag, 'least' | 'ms'>): boolean =>
  ms - least > Math.max(shortLagMs, ms * (1 - probeShare));

export const isProbeDue = ({ ms, probeAt }: ServiceLag, now: EpochMs): boolean =>
  ms > shortLagMs && probeAt !== null && (now >= probeAt || probeAt - now > maxProbePauseMs);

export const probeLag = (lag: ServiceLag): number =>
  Math.round(isRough(lag) ? (lag.least + lag.ms) / 2 : lag.ms * probeShare);
