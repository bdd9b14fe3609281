import type { Clock, EpochMs, Random } from '../../service/clock/clock.ts';
import { uniquePart } from '../files/temp-name.ts';
import {
  fileSystemTime,
  type LockLook,
  lookAtLock,
  placeLock,
  removeAbandonedLock,
  removeOwnLock,
  removeOwnLockSync,
  renewLockSync,
} from './lock-folder.ts';
import { isDead, type LockOwner, ownerText, type Processes, readLockOwner } from './lock-owner.ts';

/** What taking a lock needs from its surroundings. */
export interface LockContext {
  readonly clock: Clock;
  readonly random: Random;
  /** Null when nothing is known about processes: then a dead one's lock is taken over when it is stale. */
  readonly processes: Processes | null;
}

/** A lock that this process has taken. */
export interface TakenLock {
  /** Whether it still is ours in this very moment. Throws what the system throws. */
  isHeld(): boolean;
  /** Gives it back; harmless when another process has taken it over. */
  release(): Promise<void>;
}

/** Locks bear the time of now at most; a time further ahead was given while the clock was wrong, in milliseconds. */
const aheadMs = 2_000;

/**
 * One lock for all processes: a folder that names its holder. It is renewed while it is held; one that nobody has renewed
 * for `staleMs`, or whose holder is known to have died, is taken over.
 */
export class FolderLock {
  readonly #path: string;
  readonly #context: LockContext;
  readonly #staleMs: number;
  /** What was seen at the last try, and since when it has looked the same. */
  #seen: { readonly mark: string; readonly since: EpochMs } | null = null;

  constructor(path: string, context: LockContext, staleMs: number) {
    this.#path = path;
    this.#context = context;
    this.#staleMs = staleMs;
  }

  /**
   * Takes the lock unless somebody holds it; null when somebody does. Throws a `StoreError` where something else
   * stands in its place, and what the system throws.
   */
  async tryToTake(): Promise<TakenLock | null> {
    const taken = await this.#place();
    if (taken !== null) return taken;
    const owner = this.owner();
    const look = await lookAtLock(this.#path);
    if (look !== null && !(await this.#isAbandoned(owner, look))) return null;
    if (look !== null) await removeAbandonedLock(this.#path, owner, look, this.#context.random);
    return await this.#place();
  }

  /** Who holds the lock; null when nobody does or it does not say. */
  owner(): LockOwner | null {
    return readLockOwner(this.#path);
  }

  async #place(): Promise<TakenLock | null> {
    const { processes, random } = this.#context;
    // Spares whoever waits for a lock the making of one.
    if (this.owner() !== null) return null;
    const token = uniquePart(random);
    return (await placeLock(this.#path, ownerText(token, processes), random)) ? this.#hold(token) : null;
  }

  #hold(token: string): TakenLock {
    const { processes, random } = this.#context;
    const isHeld = (): boolean => this.owner()?.token === token;
    const renewal = setInterval(() => this.#renew(isHeld), this.#staleMs / 2);
    // A lock keeps no process running.
    renewal.unref();
    const forget = processes?.onExit?.(() => {
      try {
        removeOwnLockSync(this.#path, token);
      } catch {
        // Nobody is left to report it to; the next process finds its holder dead.
      }
    });
    return {
      isHeld,
      release: async () => {
        clearInterval(renewal);
        removeOwnLock(this.#path, token, random);
        forget?.();
      },
    };
  }

  /** Whoever holds a lock looks whether it is still theirs before they rely on it, so a renewal that fails is no news. */
  #renew(isHeld: () => boolean): void {
    try {
      if (isHeld()) renewLockSync(this.#path, this.#context.random);
    } catch {
      // Tried again soon.
    }
  }

  async #isAbandoned(owner: LockOwner | null, { mark, changedAt }: LockLook): Promise<boolean> {
    const { clock, processes, random } = this.#context;
    const now = clock.now();
    if (this.#seen?.mark !== mark || now < this.#seen.since) this.#seen = { mark, since: now };
    if (owner !== null && isDead(owner, processes)) return true;
    // A clock that was set forward makes every lock look old, so that of the file system has the last word.
    if (now - changedAt > this.#staleMs) return (await fileSystemTime(this.#path, random)) - changedAt > this.#staleMs;
    // After the clock was set back, the lock of a process that died before would look fresh until it has caught up.
    return changedAt > now + aheadMs && now - this.#seen.since > this.#staleMs;
  }
}
