import type { PollLease } from '../../watchlist/state/poll-lease.ts';
import type { GateListener } from './gate-listener.ts';

/** Knows whether this process is the one that polls. */
export class LeaseKeeper {
  readonly #lease: PollLease | null;
  readonly #listener: GateListener;
  /** False where no lease can be kept at all: then polling twice on one machine is better than not polling. */
  #works = true;

  /** @param lease null where this process is taken to be the only one */
  constructor(lease: PollLease | null, listener: GateListener) {
    this.#lease = lease;
    this.#listener = listener;
  }

  /** Whether there are other processes to reckon with. */
  get isShared(): boolean {
    return this.#lease !== null;
  }

  /** Whether this process may poll in this very moment: one that was stopped or slept may have lost the lease. */
  isHeld(): boolean {
    return this.#lease === null || !this.#works || this.#lease.isHeld();
  }

  /** Takes or renews the lease; answers whether this process may poll. */
  async hold(): Promise<boolean> {
    try {
      const isHeld = this.#lease === null || (await this.#lease.hold());
      this.#works = true;
      this.#listener.onTrouble('lease', null);
      return isHeld;
    } catch (error) {
      this.#works = this.#lease?.isBinding === true;
      this.#listener.onTrouble('lease', error);
      return this.isHeld();
    }
  }

  /** The number with which what is sent and written under this lease goes to a store that compares; null where none does. */
  fence(): number | null {
    return this.#lease?.fence() ?? null;
  }

  /** To be called when that number was refused. */
  doubt(): void {
    this.#lease?.doubt?.();
  }

  /** Gives the lease back, so that another process can go on at once. */
  async release(): Promise<void> {
    try {
      await this.#lease?.release();
    } catch (error) {
      this.#listener.onTrouble('lease', error);
    }
  }
}
