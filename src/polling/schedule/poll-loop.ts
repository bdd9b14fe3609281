import { isDeepStrictEqual } from 'node:util';
import { type CancelTimer, type EpochMs, untilBeat } from '../../lib/clock.ts';
import { type ArchiveDays, isLongOver } from '../../parcels/delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { autoArchiveParcel } from '../../parcels/parcel-factory.ts';
import type { Company, PollingState, Presence } from '../../store/polling-state.ts';
import type { MonitorCore } from '../monitor-core.ts';
import type { DueParcels, Poller } from './poller.ts';

/** Only the process that has the lease polls; the others follow the watchlist until it is free. */
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

export class CompanyKeeper {
  readonly #core: MonitorCore;
  readonly #presence: Presence | null;

  constructor(core: MonitorCore, presence: Presence | null) {
    this.#core = core;
    this.#presence = presence;
  }

  async look(): Promise<void> {
    const presence = this.#presence;
    if (presence === null) return;
    try {
      this.#show(await this.#core.busy.during(() => presence.look()));
      this.#core.notifyTrouble('presence', null);
    } catch (error) {
      // Who is there is not known any more.
      this.#show(null);
      this.#core.notifyTrouble('presence', error);
    }
  }

  async leave(): Promise<void> {
    await this.#presence?.leave().catch(() => {});
  }

  #show(company: Company | null): void {
    const shown = this.#core.state.get().polling.company ?? null;
    if (!isDeepStrictEqual(shown, company)) this.#core.changePolling({ company });
  }
}

/** Archives what was delivered or closed long ago, so that a board that stays open for months shows what is under way. */
export class EndedArchiver {
  readonly #core: MonitorCore;
  readonly #afterDays: ArchiveDays;
  #lookedAt: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(core: MonitorCore, afterDays: ArchiveDays) {
    this.#core = core;
    this.#afterDays = afterDays;
  }

  async look(): Promise<void> {
    const { clock, policy } = this.#core;
    const now = clock.now();
    const { closed, delivered } = this.#afterDays;
    if (closed <= 0 && delivered <= 0) return;
    // In both directions: a clock may be set back.
    if (Math.abs(now - this.#lookedAt) < policy.archiveLookMs) return;
    this.#lookedAt = now;
    // What only a push told is confirmed by a query first.
    const isDue = (parcel: Parcel): boolean =>
      parcel.unconfirmedSince === undefined && isLongOver(parcel, this.#afterDays, now);
    const due = this.#core.log.parcels().filter(isDue);
    if (due.length === 0) return;
    // Looked at once more: the user may have restored it.
    const archive = (parcel: Parcel): Parcel => (isDue(parcel) ? autoArchiveParcel(parcel, now) : parcel);
    await this.#core.changeTolerantly(new Map(due.map(({ id }) => [id, archive])));
  }
}

/**
 * Looks about once a second for what other processes have written, and takes over parcels, polling memory and a free
 * lease. Nothing is written when nothing has changed.
 */
export class Follower {
  readonly #core: MonitorCore;
  readonly #loop: PollLoop;
  readonly #archiver: EndedArchiver;
  readonly #company: CompanyKeeper;
  #running: object | null = null;
  #cancel: CancelTimer = () => {};
  #endNews: () => void = () => {};
  #isNewsWaiting = false;
  #isTakingNews = false;
  #recalledAt: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(core: MonitorCore, loop: PollLoop, archiver: EndedArchiver, company: CompanyKeeper) {
    this.#core = core;
    this.#loop = loop;
    this.#archiver = archiver;
    this.#company = company;
  }

  start(options: { readonly atOnce: boolean }): void {
    if (this.#running !== null) return;
    this.#running = {};
    this.#endNews = this.#core.store.onNews?.(() => void this.#takeNews()) ?? (() => {});
    if (options.atOnce) void this.#look();
    else this.#lookLater();
  }

  stop(): void {
    this.#running = null;
    this.#endNews();
    this.#cancel();
  }

  async #takeNews(): Promise<void> {
    this.#isNewsWaiting = true;
    if (this.#isTakingNews) return;
    this.#isTakingNews = true;
    while (this.#isNewsWaiting && this.#running !== null) {
      this.#isNewsWaiting = false;
      await this.#core.follow();
    }
    this.#isTakingNews = false;
    if (this.#running !== null) this.#loop.rearm();
  }

  #lookLater(): void {
    const { clock, policy } = this.#core;
    this.#cancel = clock.setTimer(untilBeat(clock.now(), policy.followMs), () => void this.#look());
  }

  async #look(): Promise<void> {
    const running = this.#running;
    const isRecalling = this.#isRecallDue();
    const led = this.#loop.isLeading;
    // A lease that is ours is looked at before each call as well.
    if (isRecalling || !this.#loop.isLeading) await this.#loop.takeLease();
    if (isRecalling) await this.#core.busy.during(() => this.#core.gate.recall());
    if (isRecalling || led !== this.#loop.isLeading) await this.#company.look();
    await this.#core.follow();
    await this.#core.logEdits(!this.#loop.isFollowing);
    // Stopped, or stopped and started again.
    if (running === null || running !== this.#running) return;
    if (!this.#loop.isFollowing) await this.#archiver.look();
    if (running !== this.#running) return;
    this.#loop.rearm();
    this.#lookLater();
  }

  #isRecallDue(): boolean {
    const { clock, policy } = this.#core;
    const now = clock.now();
    if (Math.abs(now - this.#recalledAt) < policy.recallMs) return false;
    this.#recalledAt = now;
    return true;
  }
}
