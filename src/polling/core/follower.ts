import type { CancelTimer, EpochMs } from '../../service/clock/clock.ts';
import { untilBeat } from '../../service/clock/in-step.ts';
import type { PollLoop } from '../schedule/poll-loop.ts';
import type { CompanyKeeper } from './company-keeper.ts';
import type { EndedArchiver } from './ended-archiver.ts';
import type { MonitorCore } from './monitor-core.ts';

/**
 * Looks about once a second whether another process or an editor has written the watchlist, at once where the store says so,
 * and takes over what it finds: parcels, what others keep about the polling, and the lease when nobody holds it. The process that polls writes to
 * the change log what an editor did, and archives now and then what was delivered long ago. A look is one question to the
 * file system or the database; nothing is written, and nothing changes when nothing has.
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

  /** Begins, with a first look at once or after the usual wait; harmless when it has begun. */
  start(options: { readonly atOnce: boolean }): void {
    if (this.#running !== null) return;
    this.#running = {};
    this.#endNews = this.#core.store.onNews?.(() => void this.#takeNews()) ?? (() => {});
    if (options.atOnce) void this.#look();
    else this.#lookLater();
  }

  /** Ends; a look under way comes to its end. */
  stop(): void {
    this.#running = null;
    this.#endNews();
    this.#cancel();
  }

  /** Takes over what was written elsewhere, as soon as it is known; what comes meanwhile is taken over together after it. */
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
    // Stopped, or stopped and started again, meanwhile.
    if (running === null || running !== this.#running) return;
    if (!this.#loop.isFollowing) await this.#archiver.look();
    if (running !== this.#running) return;
    this.#loop.rearm();
    this.#lookLater();
  }

  /** Whether to ask once more what other processes keep about the polling; less often than there is a look. */
  #isRecallDue(): boolean {
    const { clock, policy } = this.#core;
    const now = clock.now();
    if (Math.abs(now - this.#recalledAt) < policy.recallMs) return false;
    this.#recalledAt = now;
    return true;
  }
}
