import { isDeepStrictEqual } from 'node:util';
import { type CancelTimer, type EpochMs, minuteMs, msUntilBeat } from '../../lib/clock.ts';
import { type ArchiveDays, isDueForArchiving } from '../../parcels/delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { autoArchiveParcel } from '../../parcels/parcel-factory.ts';
import { isSnoozed, unsnoozeParcel } from '../../parcels/snooze.ts';
import type { ConnectedPrograms, Presence } from '../../store/shared-state.ts';
import type { MonitorCore } from '../monitor-core.ts';
import type { PollingState } from '../state.ts';
import type { DueParcels } from './due-queue.ts';
import type { Poller } from './poller.ts';

/** Polls while this process has the lease. Other processes follow the watchlist until the lease is free. */
export class PollLoop {
  readonly #core: MonitorCore;
  readonly #poller: Poller;
  readonly #due: DueParcels;
  #leads: boolean;
  #isFollowing = false;
  #running: AbortController | null = null;
  #cancelWake: CancelTimer = () => {};

  constructor(core: MonitorCore, poller: Poller, due: DueParcels) {
    this.#core = core;
    this.#poller = poller;
    this.#due = due;
    this.#leads = !core.gate.lease.isShared;
  }

  get isFollowing(): boolean {
    return this.#running !== null && this.#isFollowing;
  }

  get isLeading(): boolean {
    return this.#leads;
  }

  start(): void {
    if (this.#running !== null) return;
    this.#running = new AbortController();
    this.#leads = !this.#core.gate.lease.isShared;
    this.rearm();
  }

  stop(): void {
    this.#cancelWake();
    this.#running?.abort();
    this.#running = null;
    this.rearm();
  }

  rearm(): void {
    this.#cancelWake();
    const { clock, policy } = this.#core;
    const now = clock.now();
    const callAt = this.#running === null ? null : this.#due.nextCallAt(now);
    this.#core.changePolling({
      phase: this.#phase(now),
      nextPollAt: callAt,
      queriesToday: this.#core.gate.budget.totals().today.queries,
      // While the database is unreachable, we do not know whether another process polls.
      isFollowing: this.isFollowing && this.#core.gate.cutOff() === null,
    });
    // If the user has paused polling, it does not resume automatically.
    const isOff = this.#running === null || this.#core.gate.memory.current.paused;
    this.#core.showBudgetPause(isOff ? null : this.#due.pause(now));
    const isReadOnly = this.#core.state.get().polling.readOnly !== null;
    if (callAt === null || !this.#leads || isReadOnly || this.#poller.isBusy()) return;
    const delay = Math.min(Math.max(0, callAt - now), policy.maxTimerMs);
    this.#cancelWake = clock.setTimer(delay, () => void this.#wake(callAt));
  }

  async #wake(callAt: EpochMs): Promise<void> {
    const { clock, gate } = this.#core;
    // Timers may fire early, and long waits are split.
    const running = this.#running;
    const isDue = running !== null && clock.now() >= callAt;
    // We may have lost the lease without noticing, for example while this process was suspended.
    if (isDue && !gate.lease.isHeld()) this.#leads = false;
    else if (isDue) {
      await this.#poller.pollDue(running.signal);
      gate.beginPace();
    }
    this.rearm();
  }

  #phase(now: EpochMs): PollingState['phase'] {
    if (this.#poller.isBusy() && this.#core.state.get().checking.size > 0) return 'checking';
    if (this.#running === null) return 'off';
    const { gate } = this.#core;
    const pending = this.#due.pendingOperations(now);
    const operations = pending.length === 0 ? (['query'] as const) : pending;
    if (operations.every((operation) => gate.needsUser(operation))) return 'stopped';
    return operations.every((operation) => gate.coolDown(operation) !== null) ? 'backing-off' : 'waiting';
  }

  async release(): Promise<void> {
    const { lease } = this.#core.gate;
    this.#leads = !lease.isShared;
    await this.#core.busy.during(() => lease.release());
  }

  /** Takes the lease if it is free. Call this regularly. */
  async takeLease(): Promise<void> {
    const { lease } = this.#core.gate;
    if (!lease.isShared || this.#running === null) return;
    // A process that cannot write must not poll.
    if ((this.#core.store.readOnly ?? null) !== null) {
      this.#leads = false;
      this.#isFollowing = true;
      return;
    }
    const wasLeading = this.#leads;
    const leads = await this.#core.busy.during(() => lease.hold());
    if (this.#running === null) {
      await this.release();
      return;
    }
    // The previous holder may have saved a rate limit or a measured service clock.
    if (leads && !wasLeading) await this.#core.busy.during(() => this.#core.gate.load());
    this.#leads = leads;
    this.#isFollowing = !leads;
  }
}

interface FollowerParts {
  readonly core: MonitorCore;
  readonly loop: PollLoop;
  readonly presence: Presence | null;
  readonly archiveAfterDays: ArchiveDays;
}

/**
 * About once a second, picks up what other processes changed: parcels, polling memory, the lease, and which programs are
 * connected. Also archives parcels that ended long ago and ends snoozes.
 */
export function createFollower({ archiveAfterDays, core, loop, presence }: FollowerParts) {
  const { clock, log, policy } = core;
  let running: object | null = null;
  let cancelCheck: CancelTimer = () => {};
  let unsubscribe = (): void => {};
  let hasNews = false;
  let isFetching = false;
  let reloadedAt: EpochMs = Number.NEGATIVE_INFINITY;
  let archivedAt: EpochMs = Number.NEGATIVE_INFINITY;
  let snoozesEndedAt: EpochMs = Number.NEGATIVE_INFINITY;

  const fetchNews = async (): Promise<void> => {
    hasNews = true;
    if (isFetching) return;
    isFetching = true;
    while (hasNews && running !== null) {
      hasNews = false;
      await core.follow();
    }
    isFetching = false;
    if (running !== null) loop.rearm();
  };

  const scheduleCheck = (): void => {
    cancelCheck = clock.setTimer(msUntilBeat(clock.now(), policy.followMs), () => void check());
  };

  const check = async (): Promise<void> => {
    const checking = running;
    const now = clock.now();
    const isReloadDue = isLongAgo(reloadedAt, now, policy.reloadMs);
    if (isReloadDue) reloadedAt = now;
    const wasLeading = loop.isLeading;
    // While we lead, less frequent checks are enough, because each request also checks our lease.
    if (isReloadDue || !wasLeading) await loop.takeLease();
    if (isReloadDue) await core.busy.during(() => core.gate.load());
    if (isReloadDue || wasLeading !== loop.isLeading) await updateConnectedPrograms();
    await core.follow();
    await core.logEdits(!loop.isFollowing);
    // The follower was stopped in the meantime, and maybe restarted.
    if (checking === null || checking !== running) return;
    if (!loop.isFollowing) {
      await archive();
      await endSnoozes();
    }
    if (checking !== running) return;
    loop.rearm();
    scheduleCheck();
  };

  const updateConnectedPrograms = async (): Promise<void> => {
    if (presence === null) return;
    let connectedPrograms: ConnectedPrograms | null = null;
    try {
      connectedPrograms = await core.busy.during(() => presence.heartbeat());
      core.reportProblem('presence', null);
    } catch (error) {
      core.reportProblem('presence', error);
    }
    const previous = core.state.get().polling.connectedPrograms ?? null;
    if (!isDeepStrictEqual(previous, connectedPrograms)) core.changePolling({ connectedPrograms });
  };

  /** Changes the due parcels. Checks the condition again when the change is applied, because the user may have acted since. */
  const changeWhere = async (isDue: (parcel: Parcel) => boolean, change: (parcel: Parcel) => Parcel): Promise<void> => {
    const due = log.parcels().filter(isDue);
    const changeIfDue = (parcel: Parcel): Parcel => (isDue(parcel) ? change(parcel) : parcel);
    if (due.length > 0) await core.tryChange(new Map(due.map(({ id }) => [id, changeIfDue])));
  };

  const endSnoozes = async (): Promise<void> => {
    const now = clock.now();
    if (!isLongAgo(snoozesEndedAt, now, minuteMs)) return;
    snoozesEndedAt = now;
    await changeWhere(
      (parcel) => parcel.snoozed !== undefined && !isSnoozed(parcel, now),
      (parcel) => unsnoozeParcel(parcel, now),
    );
  };

  const archive = async (): Promise<void> => {
    const now = clock.now();
    if (!isLongAgo(archivedAt, now, policy.archiveCheckMs)) return;
    archivedAt = now;
    await changeWhere(
      // A push that reports the end must first be confirmed by a query.
      (parcel) => parcel.unconfirmedSince === undefined && isDueForArchiving(parcel, archiveAfterDays, now),
      (parcel) => autoArchiveParcel(parcel, now),
    );
  };

  return {
    start(options: { readonly immediately: boolean }): void {
      if (running !== null) return;
      running = {};
      unsubscribe = core.store.onNews?.(() => void fetchNews()) ?? (() => {});
      if (options.immediately) void check();
      else scheduleCheck();
    },
    stop(): void {
      running = null;
      unsubscribe();
      cancelCheck();
    },
    async leave(): Promise<void> {
      await presence?.leave().catch(() => {});
    },
  };
}

/** Also true if the clock was set back by this much. */
const isLongAgo = (at: EpochMs, now: EpochMs, minMs: number): boolean => Math.abs(now - at) >= minMs;
