import type { CancelTimer, EpochMs } from '../../service/clock/clock.ts';
import type { PollingState } from '../../watchlist/state/polling-state.ts';
import type { MonitorCore } from '../core/monitor-core.ts';
import type { DueParcels } from './due-parcels.ts';
import type { Poller } from './poller.ts';

/**
 * Wakes the poller when parcels are due, and shows in the state when that will be. Only the process that holds the
 * lease polls; the others follow the watchlist until the lease is free.
 */
export class PollLoop {
  readonly #core: MonitorCore;
  readonly #poller: Poller;
  readonly #due: DueParcels;
  #leads: boolean;
  /** Whether another process is known to hold the lease; at first none is. */
  #isFollowing = false;
  #running: AbortController | null = null;
  #cancelWake: CancelTimer = () => {};

  constructor(core: MonitorCore, poller: Poller, due: DueParcels) {
    this.#core = core;
    this.#poller = poller;
    this.#due = due;
    this.#leads = !core.gate.lease.isShared;
  }

  /** Whether another process polls, and does what only one has to do. */
  get isFollowing(): boolean {
    return this.#running !== null && this.#isFollowing;
  }

  /** Whether this process was the one that polls when it last looked. */
  get isLeading(): boolean {
    return this.#leads;
  }

  /** Begins; harmless when it has begun. */
  start(): void {
    if (this.#running !== null) return;
    this.#running = new AbortController();
    this.#leads = !this.#core.gate.lease.isShared;
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
    const now = clock.now();
    const callAt = this.#running === null ? null : this.#due.nextCallAt(now);
    this.#core.changePolling({
      phase: this.#phase(now),
      nextPollAt: callAt,
      queriesToday: this.#core.gate.budget.totals().today.queries,
      // Who is cut off does not know whether another one polls.
      isFollowing: this.isFollowing && this.#core.gate.cutOff() === null,
    });
    // What the user has paused does not resume by itself.
    const isOff = this.#running === null || this.#core.gate.memory.current.paused;
    this.#core.showBudgetPause(isOff ? null : this.#due.pause(now));
    const isReadOnly = this.#core.state.get().polling.readOnly !== null;
    if (callAt === null || !this.#leads || isReadOnly || this.#poller.isBusy()) return;
    const delay = Math.min(Math.max(0, callAt - now), policy.longestTimerMs);
    this.#cancelWake = clock.setTimer(delay, () => void this.#wake(callAt));
  }

  async #wake(callAt: EpochMs): Promise<void> {
    const { clock, gate } = this.#core;
    // Timers may come early, and far calls are approached in steps; after sleep it is high time.
    const running = this.#running;
    const isDue = running !== null && clock.now() >= callAt;
    // Lost without our noticing, e.g. because this process was stopped. The next look says who has it.
    if (isDue && !gate.lease.isHeld()) this.#leads = false;
    else if (isDue) {
      await this.#poller.pollDue(running.signal);
      gate.beginPace();
    }
    this.rearm();
  }

  /** As long as queries or registrations go on, polling has neither stopped nor backed off. */
  #phase(now: EpochMs): PollingState['phase'] {
    if (this.#poller.isBusy() && this.#core.state.get().checking.size > 0) return 'checking';
    if (this.#running === null) return 'off';
    const { gate } = this.#core;
    const waitedFor = this.#due.waitedFor(now);
    const concerned = waitedFor.length === 0 ? (['query'] as const) : waitedFor;
    if (concerned.every((operation) => gate.needsUser(operation))) return 'stopped';
    return concerned.every((operation) => gate.coolDown(operation) !== null) ? 'backing-off' : 'waiting';
  }

  /** Gives the lease back, so that a process that follows can go on at once. */
  async release(): Promise<void> {
    const { lease } = this.#core.gate;
    this.#leads = !lease.isShared;
    await this.#core.busy.during(() => lease.release());
  }

  /** Takes the lease when it is free, so that this process goes on when the one that held it ends. To be called again and again. */
  async takeLease(): Promise<void> {
    const { lease } = this.#core.gate;
    if (!lease.isShared || this.#running === null) return;
    // Who can write nothing must not check: somebody else does, and is followed.
    if ((this.#core.store.readOnly ?? null) !== null) {
      this.#leads = false;
      this.#isFollowing = true;
      return;
    }
    const led = this.#leads;
    const leads = await this.#core.busy.during(() => lease.hold());
    if (this.#running === null) {
      await this.release();
      return;
    }
    // The one that led before may have been asked for a pause, or may have measured the service clock.
    if (leads && !led) await this.#core.busy.during(() => this.#core.gate.recall());
    this.#leads = leads;
    this.#isFollowing = !leads;
  }
}
