import { isDeepStrictEqual } from 'node:util';
import { type CancelTimer, type EpochMs, minuteMs, untilBeat } from '../../lib/clock.ts';
import { type ArchiveDays, isLongOver } from '../../parcels/delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { autoArchiveParcel, unsnoozeParcel } from '../../parcels/parcel-factory.ts';
import { isSnoozed } from '../../parcels/parcel-stage.ts';
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

  /** Releases the lease, so that another process can take over immediately. */
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
export class Follower {
  readonly #parts: FollowerParts;
  #running: object | null = null;
  #cancel: CancelTimer = () => {};
  #unsubscribe: () => void = () => {};
  #hasNews = false;
  #isFetching = false;
  #reloadedAt: EpochMs = Number.NEGATIVE_INFINITY;
  #archivedAt: EpochMs = Number.NEGATIVE_INFINITY;
  #snoozesEndedAt: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  start(options: { readonly immediately: boolean }): void {
    if (this.#running !== null) return;
    this.#running = {};
    this.#unsubscribe = this.#parts.core.store.onNews?.(() => void this.#fetchNews()) ?? (() => {});
    if (options.immediately) void this.#check();
    else this.#scheduleCheck();
  }

  stop(): void {
    this.#running = null;
    this.#unsubscribe();
    this.#cancel();
  }

  async leave(): Promise<void> {
    await this.#parts.presence?.leave().catch(() => {});
  }

  async #fetchNews(): Promise<void> {
    this.#hasNews = true;
    if (this.#isFetching) return;
    this.#isFetching = true;
    while (this.#hasNews && this.#running !== null) {
      this.#hasNews = false;
      await this.#parts.core.follow();
    }
    this.#isFetching = false;
    if (this.#running !== null) this.#parts.loop.rearm();
  }

  #scheduleCheck(): void {
    const { clock, policy } = this.#parts.core;
    this.#cancel = clock.setTimer(untilBeat(clock.now(), policy.followMs), () => void this.#check());
  }

  async #check(): Promise<void> {
    const { core, loop } = this.#parts;
    const running = this.#running;
    const now = core.clock.now();
    const isReloadDue = isLongAgo(this.#reloadedAt, now, core.policy.reloadMs);
    if (isReloadDue) this.#reloadedAt = now;
    const wasLeading = loop.isLeading;
    // While we lead, checking less often is enough, because each request checks our lease as well.
    if (isReloadDue || !wasLeading) await loop.takeLease();
    if (isReloadDue) await core.busy.during(() => core.gate.load());
    if (isReloadDue || wasLeading !== loop.isLeading) await this.#updateConnectedPrograms();
    await core.follow();
    await core.logEdits(!loop.isFollowing);
    // The follower was stopped in the meantime, and maybe restarted.
    if (running === null || running !== this.#running) return;
    if (!loop.isFollowing) {
      await this.#archive();
      await this.#endSnoozes();
    }
    if (running !== this.#running) return;
    loop.rearm();
    this.#scheduleCheck();
  }

  async #updateConnectedPrograms(): Promise<void> {
    const { core, presence } = this.#parts;
    if (presence === null) return;
    let connectedPrograms: ConnectedPrograms | null = null;
    try {
      connectedPrograms = await core.busy.during(() => presence.look());
      core.reportProblem('presence', null);
    } catch (error) {
      core.reportProblem('presence', error);
    }
    const shown = core.state.get().polling.connectedPrograms ?? null;
    if (!isDeepStrictEqual(shown, connectedPrograms)) core.changePolling({ connectedPrograms });
  }

  async #endSnoozes(): Promise<void> {
    const { core } = this.#parts;
    const now = core.clock.now();
    if (!isLongAgo(this.#snoozesEndedAt, now, minuteMs)) return;
    this.#snoozesEndedAt = now;
    const isOver = (parcel: Parcel): boolean => parcel.snoozed !== undefined && !isSnoozed(parcel, now);
    const over = core.log.parcels().filter(isOver);
    const endSnooze = (parcel: Parcel): Parcel => (isOver(parcel) ? unsnoozeParcel(parcel, now) : parcel);
    if (over.length > 0) await core.tryChange(new Map(over.map(({ id }) => [id, endSnooze])));
  }

  async #archive(): Promise<void> {
    const { archiveAfterDays, core } = this.#parts;
    const now = core.clock.now();
    if (!isLongAgo(this.#archivedAt, now, core.policy.archiveLookMs)) return;
    this.#archivedAt = now;
    // A push that reports the end must first be confirmed by a query.
    const isDue = (parcel: Parcel): boolean =>
      parcel.unconfirmedSince === undefined && isLongOver(parcel, archiveAfterDays, now);
    const due = core.log.parcels().filter(isDue);
    if (due.length === 0) return;
    // Check again when the change is applied: the user may have restored the parcel.
    const archive = (parcel: Parcel): Parcel => (isDue(parcel) ? autoArchiveParcel(parcel, now) : parcel);
    await core.tryChange(new Map(due.map(({ id }) => [id, archive])));
  }
}

/** Also true if the clock was set back by this much. */
const isLongAgo = (at: EpochMs, now: EpochMs, minMs: number): boolean => Math.abs(now - at) >= minMs;
