import type { CancelTimer, EpochMs } from '../../service/clock/clock.ts';
import type { PollLease } from '../../watchlist/state/poll-lease.ts';
import type { MonitorCore } from '../core/monitor-core.ts';
import type { PollingState } from '../core/state.ts';
import { activeCoolDown } from '../gate/back-off.ts';
import type { BudgetKeeper } from '../gate/budget.ts';
import type { DueParcels } from './due-parcels.ts';
import type { Poller } from './poller.ts';

/** What the loop works with. */
export interface AskingLoopParts {
  readonly core: MonitorCore;
  readonly poller: Poller;
  readonly budget: BudgetKeeper;
  readonly due: DueParcels;
  /** Without a lease this process is taken to be the only one. */
  readonly lease: PollLease | null;
}

/**
 * Wakes the poller when parcels are due, and shows in the state when that will be. Only the process that holds the
 * lease asks; the others follow the watchlist until the lease is free.
 */
export class AskingLoop {
  readonly #core: MonitorCore;
  readonly #poller: Poller;
  readonly #budget: BudgetKeeper;
  readonly #due: DueParcels;
  readonly #lease: PollLease | null;
  #leads: boolean;
  /** Whether another process is known to hold the lease; at first nobody is. */
  #isFollowing = false;
  /** False where no lease can be kept at all: then asking twice is better than not asking. */
  #leaseWorks = true;
  #running: AbortController | null = null;
  #cancelWake: CancelTimer = () => {};
  #caughtUpAt: EpochMs = Number.NEGATIVE_INFINITY;
  #restUntil: EpochMs = Number.NEGATIVE_INFINITY;

  constructor({ core, poller, budget, due, lease }: AskingLoopParts) {
    this.#core = core;
    this.#poller = poller;
    this.#budget = budget;
    this.#due = due;
    this.#lease = lease;
    this.#leads = lease === null;
  }

  /** Begins; harmless when it has begun. */
  start(): void {
    if (this.#running !== null) return;
    this.#running = new AbortController();
    this.#leads = this.#lease === null;
    this.rearm();
  }

  /** Ends, and ends the call under way that the loop began. The lease is to be released when all is idle. */
  stop(): void {
    this.#cancelWake();
    this.#running?.abort();
    this.#running = null;
    this.rearm();
  }

  /** To be called whenever something may have moved the next call. */
  rearm(): void {
    this.#cancelWake();
    const { clock, policy } = this.#core;
    const callAt = this.#callAt();
    this.#core.changePolling({
      phase: this.#phase(),
      nextPollAt: callAt,
      queriesToday: this.#budget.totals().today.queries,
      isFollowing: this.#running !== null && this.#isFollowing,
    });
    // Asking that the user has paused does not go on by itself.
    const isResting = this.#running === null || this.#core.remembered.paused;
    this.#core.tellBudget(isResting ? null : this.#due.pause(clock.now()));
    if (callAt === null || !this.#leads || this.#poller.isAsking()) return;
    const delay = Math.min(Math.max(0, callAt - clock.now()), policy.longestTimerMs);
    this.#cancelWake = clock.setTimer(delay, () => this.#wake());
  }

  #wake(): void {
    const callAt = this.#callAt();
    // Timers may come early, and far calls are approached in steps; after sleep it is high time.
    if (this.#running === null || callAt === null || callAt > this.#core.clock.now()) {
      this.rearm();
      return;
    }
    // Lost without our noticing, e.g. because this process was stopped. The next look says who has it.
    if (!this.#mayAsk()) {
      this.#leads = false;
      this.rearm();
      return;
    }
    void this.#ask(this.#running.signal);
  }

  /**
   * Whether a call with this signal may be sent. What the loop itself sends needs the lease to the last moment: a process
   * that was stopped in the middle of its calls must not go on with them while another one asks.
   */
  mayCall(signal: AbortSignal | undefined): boolean {
    return signal !== this.#running?.signal || this.#mayAsk();
  }

  #mayAsk(): boolean {
    return this.#lease === null || !this.#leaseWorks || this.#lease.isHeld();
  }

  async #ask(signal: AbortSignal): Promise<void> {
    await this.#poller.askDue(signal);
    this.#restUntil = this.#core.clock.now() + this.#core.policy.restMs;
    this.rearm();
  }

  /** When the next call goes out: when parcels are due, but not while paused, cooling down or resting. */
  #callAt(): EpochMs | null {
    const { clock, policy, remembered } = this.#core;
    if (this.#running === null || remembered.paused || this.#needsTheUser()) return null;
    const now = clock.now();
    const due = this.#due.nextCallAt(now);
    if (due === null) return null;
    const coolDown = activeCoolDown(remembered.coolDown, now, policy);
    // A rest that ends later than it may was begun before the clock was set back.
    const rest = this.#restUntil - now <= policy.restMs ? this.#restUntil : now;
    return Math.max(due, coolDown?.until ?? due, rest);
  }

  #needsTheUser(): boolean {
    const kind = this.#core.state.get().polling.problem?.kind;
    return kind === 'key-refused' || kind === 'quota-exhausted';
  }

  #phase(): PollingState['phase'] {
    if (this.#poller.isAsking() && this.#core.state.get().asking.size > 0) return 'asking';
    if (this.#running === null) return 'off';
    if (this.#needsTheUser()) return 'stopped';
    const { clock, policy, remembered } = this.#core;
    return activeCoolDown(remembered.coolDown, clock.now(), policy) === null ? 'waiting' : 'backing-off';
  }

  /** Takes over what other processes keep about the asking. To be called again and again. */
  async catchUp(): Promise<void> {
    const { clock, policy } = this.#core;
    const now = clock.now();
    if (Math.abs(now - this.#caughtUpAt) < policy.recallMs) return;
    this.#caughtUpAt = now;
    await Promise.all([this.#core.recall(), this.#budget.recall()]);
  }

  /** Gives the lease back, so that a process that follows can go on at once. */
  async release(): Promise<void> {
    const lease = this.#lease;
    if (lease === null) return;
    this.#leads = false;
    await this.#core.tolerantly(() => lease.release());
  }

  async #hold(lease: PollLease): Promise<boolean> {
    try {
      const holds = await this.#core.busy.during(() => lease.hold());
      this.#leaseWorks = true;
      this.#core.tellTrouble('lease', null);
      return holds;
    } catch (error) {
      this.#leaseWorks = false;
      this.#core.tellTrouble('lease', error);
      return true;
    }
  }

  /** Asks for the lease, so that this process goes on when the one that held it ends. To be called again and again. */
  async takeLease(): Promise<void> {
    const lease = this.#lease;
    if (lease === null || this.#running === null) return;
    const led = this.#leads;
    const leads = await this.#hold(lease);
    if (this.#running === null) {
      await this.release();
      return;
    }
    // The one that led before may have been told to wait, or may have measured the service clock.
    if (leads && !led) await Promise.all([this.#core.recall(), this.#budget.recall()]);
    this.#leads = leads;
    this.#isFollowing = !leads;
  }
}
