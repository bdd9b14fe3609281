import { type CancelTimer, dayMs, type EpochMs, minuteMs } from '../../service/clock/clock.ts';
import { CancelledError, ServiceError } from '../../service/failures/errors.ts';
import { StoreError } from '../../watchlist/errors.ts';
import type { ParcelChange } from '../../watchlist/model/change-parcels.ts';
import type { InstantTries, Parcel } from '../../watchlist/model/parcel.ts';
import { isoInstant } from '../../watchlist/model/parcel-factory.ts';
import { hasNoRecord } from '../../watchlist/rules/no-record.ts';
import { needOf } from '../../watchlist/rules/status-text.ts';
import type { MonitorCore } from '../core/monitor-core.ts';
import { isWithoutCredit } from '../gate/cool-down.ts';
import { type Instant, lookUpInstantly } from './instant-lookup.ts';

/** A first look soon, for boards that are not open for long; then now and then. */
const firstLookMs = minuteMs;
const lookEveryMs = 10 * minuteMs;
/** Each of them costs, and has a notice. */
const mostPerLook = 10;
/** For so long a number has no record before it is looked up, and again after a look-up that failed. */
const silentMs = dayMs;
const mostTries = 2;

/** What looking up silent numbers needs. */
export interface SilentLookupsParts {
  readonly core: MonitorCore;
  readonly instant: Instant;
  /** Aborted when what is under way is to end; a new one when checks go on. */
  readonly signal: () => AbortSignal;
}

/**
 * Looks a registered number up at its courier, once, when free queries have brought no record for a day. That costs a
 * registration: it is announced, remembered with the parcel before the call is sent, and made only by the process that polls,
 * while nothing holds polling back.
 */
export class SilentLookups {
  readonly #parts: SilentLookupsParts;
  #cancel: CancelTimer | null = null;

  constructor(parts: SilentLookupsParts) {
    this.#parts = parts;
  }

  /** Begins; harmless when it has begun. */
  start(): void {
    if (this.#cancel === null) this.#lookAfter(firstLookMs);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #lookAfter(delayMs: number): void {
    const { clock, busy } = this.#parts.core;
    this.#cancel = clock.setTimer(delayMs, () => {
      this.#lookAfter(lookEveryMs);
      void busy.during(() => this.#look());
    });
  }

  async #look(): Promise<void> {
    const { core, signal } = this.#parts;
    const stopped = signal();
    const ids = core.log.parcels().filter((parcel) => isDue(parcel, core.clock.now()));
    if (ids.length === 0 || !(await this.#mayCall())) return;
    // Of a long list, the parcels that are held do not say what was tried.
    const whole = await core.log.whole(ids.map(({ id }) => id)).catch(() => []);
    const due = whole.filter((parcel) => isDue(parcel, core.clock.now()));
    for (const parcel of due.slice(0, mostPerLook)) {
      if (stopped.aborted || !(await this.#mayCall())) return;
      await this.#lookUp(parcel, stopped);
    }
  }

  /** Whether neither a poll nor a registration would be held back. */
  async #mayCall(): Promise<boolean> {
    const { gate } = this.#parts.core;
    await gate.catchUp();
    const isHeldBack = gate.heldBack('poll', 'query') !== null || gate.heldBack('poll', 'register') !== null;
    return !isHeldBack && gate.budget.resumesAt('instant') === null;
  }

  async #lookUp(parcel: Parcel, signal: AbortSignal): Promise<void> {
    const { core, instant } = this.#parts;
    const { id, instantTries: before, trackNo } = parcel;
    const now = core.clock.now();
    const announcement = `${trackNo}: still no record after ${daysText(now - silentSince(parcel))}. One live look-up follows; it costs one registration.`;
    const tries: InstantTries = { count: (before?.count ?? 0) + 1, at: isoInstant(now) };
    // A restart, or another process, must not pay for it again.
    if (!(await this.#claim(parcel, tries))) return;
    core.notify(announcement);
    let isSent = false;
    try {
      const answer = await lookUpInstantly(core, instant, parcel, signal, {
        origin: 'poll',
        onAdmitted: () => {
          isSent = true;
        },
      });
      if (answer.kind === 'rejected') core.notify(refusedText(trackNo, answer.rejection.message));
    } catch (error) {
      if (!(error instanceof ServiceError) && !(error instanceof StoreError)) throw error;
      // It costs what a registration costs: both wait for credit, and the try is not used up.
      const isUnpaid = error instanceof ServiceError && isWithoutCredit(error, 'register');
      if (isSent && isUnpaid) await core.gate.backOff(error, 'register');
      if (!isSent || isUnpaid) core.unnotify(announcement);
      else if (!(error instanceof CancelledError)) core.notify(failedText(trackNo, error.message, tries));
      const left = isSent && !isUnpaid ? { ...tries, failed: true } : before;
      await core.changeTolerantly(new Map([[id, withTries(tries, left)]]));
    }
  }

  /** Remembers a try; false where it could not be written, or another process was first. */
  async #claim({ id, instantTries: before }: Parcel, tries: InstantTries): Promise<boolean> {
    const { core } = this.#parts;
    try {
      await core.log.commitChanges(new Map([[id, withTries(before, tries)]]));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      await core.changeTolerantly(new Map([[id, withTries(tries, before)]]));
      return false;
    }
    const [written] = await core.log.whole([id]).catch(() => []);
    return isSameTry(written?.instantTries, tries);
  }
}

/** Puts a try in the place of an earlier one, where that is still the last. */
const withTries =
  (before: InstantTries | undefined, after: InstantTries | undefined): ParcelChange =>
  (parcel) => {
    if (!isSameTry(parcel.instantTries, before)) return parcel;
    const { instantTries: _tried, ...others } = parcel;
    return after === undefined ? others : { ...others, instantTries: after };
  };

const isSameTry = (a: InstantTries | undefined, b: InstantTries | undefined): boolean =>
  a?.at === b?.at && a?.count === b?.count;

/** Whether a parcel is to be looked up, as far as is known of it. */
function isDue(parcel: Parcel, now: EpochMs): boolean {
  const { archivedAt, error, instantTries, nextPollAt, registration } = parcel;
  if (registration !== 'registered' || archivedAt !== null || error !== null || !hasNoRecord(parcel)) return false;
  // A check that is due comes first, and costs nothing.
  if (nextPollAt === null || Date.parse(nextPollAt) <= now) return false;
  if (now - silentSince(parcel) < silentMs || needOf(parcel) !== null) return false;
  if (instantTries === undefined) return true;
  const { at, count, failed = false } = instantTries;
  return failed && count < mostTries && now - Date.parse(at) >= silentMs;
}

const silentSince = ({ addedAt, registeredAt }: Parcel): EpochMs => Date.parse(registeredAt ?? addedAt);

const daysText = (ms: number): string => (ms < 2 * dayMs ? 'a day' : `${Math.floor(ms / dayMs)} days`);

const refusedText = (trackNo: string, words: string): string => `${trackNo}: the live look-up was refused: "${words}".`;

const failedText = (trackNo: string, message: string, { count }: InstantTries): string =>
  `${trackNo}: the live look-up failed${count < mostTries ? ' and is tried once more in a day' : ''}. ${message}`;
