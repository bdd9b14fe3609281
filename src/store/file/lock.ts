import { renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Clock, type EpochMs, type Random, sleep } from '../../lib/clock.ts';
import { uniquePart } from '../../lib/paths.ts';
import { StoreError, systemCode } from '../../lib/store-errors.ts';
import { resolvePath } from './file-place.ts';
import { makeFolder } from './folders.ts';
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
import {
  isDead,
  type LockOwner,
  ownerPath,
  ownerText,
  ownerWords,
  type Processes,
  passageName,
  readLockOwner,
} from './lock-owner.ts';

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

/** A lock nobody refreshed for this long belongs to a process that died or sleeps and is taken over, in milliseconds. */
const staleMs = 5_000;
/** How long we wait for another process, in milliseconds; longer than it takes for a dead one's lock to go stale. */
const patienceMs = 15_000;
/** Longest pause between two tries, in milliseconds. */
const longestPauseMs = 40;
/** What one try can add to a wait, in milliseconds. */
const longestStepMs = 1_000;
/** How often the folder of a lock may vanish while that is being taken. */
const mostVanished = 20;

/** A lock that is held. */
export interface HeldLock {
  /** Throws a {@link LockLostError} when the lock was lost meanwhile, e.g. because the machine slept. */
  assertHeld(): void;
  /**
   * Moves a file into the lock, by which it goes when the lock is taken over: to be moved to its place from there, which
   * fails then, whenever this process was stopped. Answers where the file is. Throws a {@link LockLostError}.
   */
  passThrough(file: string): string;
}

/** Another process took a lock from us while we were held up; nothing was written. To be tried again. */
export class LockLostError extends StoreError {
  constructor(path: string) {
    super(
      'locked',
      { what: `Another process took over the lock of ${path} while this one was held up.`, advice: 'Try again.' },
      path,
    );
  }
}

/**
 * Runs `work` while holding the lock of a file across all processes (`<path>.lock` beside it), then gives it back.
 * Waits for other holders and takes over a lock whose holder died, at once where that is known. `path` must have its
 * links resolved. Throws a `StoreError` naming lock and holder when it stays held, and what `work` throws.
 */
export async function withFileLock<Result>(
  path: string,
  context: LockContext,
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result> {
  const lock = await acquire(path, context);
  const assertHeld = (): void => {
    if (lock.isHeld()) return;
    throw new LockLostError(path);
  };
  const passThrough = (file: string): string => {
    assertHeld();
    const passing = join(lockPathOf(path), passageName, basename(file));
    renameSync(file, passing);
    // It may have come into the lock of another one.
    try {
      assertHeld();
    } catch (error) {
      rmSync(passing, { force: true });
      throw error;
    }
    return passing;
  };
  try {
    return await work({ assertHeld, passThrough });
  } finally {
    await lock.release();
  }
}

/** The folder that stands for the lock of a file. */
function lockPathOf(path: string): string {
  return `${path}.lock`;
}

async function acquire(path: string, context: LockContext): Promise<TakenLock> {
  const { clock, processes, random } = context;
  const lock = new FolderLock(lockPathOf(path), context, staleMs);
  let waitedMs = 0;
  for (;;) {
    const triedAt = clock.now();
    const taken = await tryToTake(path, lock);
    if (taken !== null) return taken;
    if (waitedMs > patienceMs) {
      const holder = ownerWords(lock.owner(), processes);
      throw new StoreError(
        'locked',
        {
          what: `${path} has been locked by ${holder} for ${Math.round(waitedMs / 1000)} s.`,
          advice: `Close other parcel-monitor processes; if there are none, remove ${lockPathOf(path)}.`,
        },
        path,
      );
    }
    await sleep(clock, 5 + random() * longestPauseMs);
    // A clock that is set meanwhile neither ends the wait nor lets it last.
    waitedMs += Math.min(Math.max(clock.now() - triedAt, 0), longestStepMs);
  }
}

/** As {@link FolderLock.tryToTake}, in a folder that may be removed or made by others in the same moment. */
async function tryToTake(path: string, lock: FolderLock): Promise<TakenLock | null> {
  for (let vanished = 0; ; vanished += 1) {
    try {
      return await lock.tryToTake();
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' || vanished === mostVanished) throw error;
      await makeFolder(dirname(path));
    }
  }
}

/** Who else holds the lock of a file, in words for a message; null when nobody does or it is not known. */
export async function lockHolder(path: string, processes: Processes): Promise<string | null> {
  try {
    const lockPath = lockPathOf(await resolvePath(path));
    // A disk that hangs must not hang us: only what could be read once is looked at again.
    await readFile(ownerPath(lockPath));
    const owner = readLockOwner(lockPath);
    if (owner === null || (owner.pid === processes.pid && owner.scope === processes.scope())) return null;
    return ownerWords(owner, processes);
  } catch {
    // Nobody holds it, or nobody can say who does: either way it is only left out of a message.
    return null;
  }
}
