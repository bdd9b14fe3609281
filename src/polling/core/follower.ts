import type { CancelTimer } from '../../service/clock/clock.ts';
import type { MonitorCore } from './monitor-core.ts';

/** What is done along with each look. */
export interface FollowerHooks {
  /** Done before each look, e.g. to take the lease. */
  readonly beforeLooking: () => Promise<void>;
  /** Called after each look. */
  readonly afterLooking: () => void;
}

/**
 * Looks several times a second whether another process or an editor has written the watchlist, and takes over what it
 * finds. A look is one question to the file system; nothing is written, and nothing changes when nothing has.
 */
export class Follower {
  readonly #core: MonitorCore;
  readonly #hooks: FollowerHooks;
  #running: object | null = null;
  #cancel: CancelTimer = () => {};

  constructor(core: MonitorCore, hooks: FollowerHooks) {
    this.#core = core;
    this.#hooks = hooks;
  }

  /** Begins, with a first look at once or after the usual wait; harmless when it has begun. */
  start(options: { readonly atOnce: boolean }): void {
    if (this.#running !== null) return;
    this.#running = {};
    if (options.atOnce) void this.#look();
    else this.#lookLater();
  }

  /** Ends; a look under way comes to its end. */
  stop(): void {
    this.#running = null;
    this.#cancel();
  }

  #lookLater(): void {
    this.#cancel = this.#core.clock.setTimer(this.#core.policy.followMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    const running = this.#running;
    await this.#hooks.beforeLooking();
    await this.#core.follow();
    // Stopped, or stopped and started again, meanwhile.
    if (running === null || running !== this.#running) return;
    this.#hooks.afterLooking();
    this.#lookLater();
  }
}
