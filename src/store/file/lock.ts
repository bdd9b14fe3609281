import { renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Clock, type EpochMs, type Random, sleep } from '../../lib/clock.ts';
import { uniquePart } from '../../lib/paths.ts';
import { StoreError, systemCode } from '../../lib/store-errors.ts';
import { resolvePath } from './file-place.ts';
import { makeFolder } from './folders.ts';
import {
  fileSystemTime,
  isDead,
  lookAtLock,
  ownerPath,
  ownerWords,
  passagePath,
  placeLock,
  readLockOwner,
  removeAbandonedLock,
  removeOwnLock,
  renewLock,
} from './lock-folder.ts';
import { readWholeFile } from './open-file.ts';
import type { Processes } from './processes.ts';

/** What taking a lock needs from its surroundings. */
export interface LockContext {
  readonly clock: Clock;
  readonly random: Random;
  /** Null when nothing is known about processes: then a dead one's lock is taken over when it is stale. */
  readonly processes: Processes | null;
}

export interface TakenLock {
  /** Whether it still is ours in this very moment. Throws what the system throws. */
  isHeld(): boolean;
  /** Gives it back; harmless when another process has taken it over. */
  release(): Promise<void>;
}

/** Locks bear the time of now at most; a time further ahead was given while the clock was wrong, in milliseconds. */
const aheadMs = 2_000;

/**
 * One lock for all processes: a folder that names its holder. It is renewed while it is held; one that was not renewed
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
   * Takes the lock; null when another process holds it. Throws a `StoreError` where something else is in its place, and what
   * the system throws.
   */
  async tryToTake(): Promise<TakenLock | null> {
    const taken = await this.#place();
    if (taken !== null) return taken;
    const owner = readLockOwner(this.#path);
    const look = lookAtLock(this.#path);
    if (look !== null) {
      const isDeadOwner = owner !== null && isDead(owner, this.#context.processes);
      if (!this.#isStale(look.mark, look.changedAt) && !isDeadOwner) return null;
      removeAbandonedLock(this.#path, owner, look, this.#context.random);
    }
    return await this.#place();
  }

  async #place(): Promise<TakenLock | null> {
    const { processes, random } = this.#context;
    // Spares a process that waits for a lock the making of one.
    if (readLockOwner(this.#path) !== null) return null;
    const token = uniquePart(random);
    const owner = { token, pid: processes?.pid ?? null, scope: processes?.scope() ?? null };
    return (await placeLock(this.#path, owner, random)) ? this.#hold(token) : null;
  }

  #hold(token: string): TakenLock {
    const { processes, random } = this.#context;
    const path = this.#path;
    const isHeld = (): boolean => readLockOwner(path)?.token === token;
    const renewal = setInterval(() => {
      try {
        if (isHeld()) renewLock(path, random);
      } catch {
        // Tried again soon; the holder looks whether the lock is still its own before it relies on it.
      }
    }, this.#staleMs / 2);
    // A lock keeps no process running.
    renewal.unref();
    const forget = processes?.onExit?.(() => {
      try {
        removeOwnLock(path, token, random);
      } catch {
        // It can be reported to no one any more; the next process finds its holder dead.
      }
    });
    return {
      isHeld,
      release: async () => {
        clearInterval(renewal);
        removeOwnLock(path, token, random);
        forget?.();
      },
    };
  }

  #isStale(mark: string, changedAt: EpochMs): boolean {
    const { clock, random } = this.#context;
    const now = clock.now();
    if (this.#seen?.mark !== mark || now < this.#seen.since) this.#seen = { mark, since: now };
    // A clock that was set forward makes every lock look old, so that of the file system has the last word.
    if (now - changedAt > this.#staleMs)
      return fileSystemTime(this.#path, random).getTime() - changedAt > this.#staleMs;
    // After the clock was set back, the lock of a process that died before would look fresh until it has caught up.
    return changedAt > now + aheadMs && now - this.#seen.since > this.#staleMs;
  }
}

/** A lock that was not renewed for this long belongs to a process that died or sleeps, in milliseconds. */
const staleMs = 5_000;
/** How long we wait for another process, in milliseconds; longer than it takes for a dead one's lock to go stale. */
const patienceMs = 15_000;
const longestPauseMs = 40;
/** What one try can add to a wait, in milliseconds. */
const longestStepMs = 1_000;
/** How often the folder of a lock may vanish while that is being taken. */
const mostVanished = 20;

export interface HeldLock {
  /** Throws a {@link LockLostError} when the lock was lost, e.g. because the machine slept. */
  assertHeld(): void;
  /**
   * Moves a file into the lock, by which it goes when the lock is taken over: to be moved to its place from there, which
   * fails then, whenever this process was stopped. Returns where the file is. Throws a {@link LockLostError}.
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

/** The folder that stands for the lock of a file. */
const lockPathOf = (path: string): string => `${path}.lock`;

/**
 * Runs `work` while holding the lock of a file across all processes (`<path>.lock`), then gives it back.
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
    if (!lock.isHeld()) throw new LockLostError(path);
  };
  const passThrough = (file: string): string => {
    assertHeld();
    const passing = join(passagePath(lockPathOf(path)), basename(file));
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

async function acquire(path: string, context: LockContext): Promise<TakenLock> {
  const { clock, processes, random } = context;
  const lockPath = lockPathOf(path);
  const lock = new FolderLock(lockPath, context, staleMs);
  for (let [waitedMs, vanished] = [0, 0]; ; ) {
    const triedAt = clock.now();
    try {
      const taken = await lock.tryToTake();
      if (taken !== null) return taken;
    } catch (error) {
      // Its folder may be removed or made by others in the same moment.
      if (systemCode(error) !== 'ENOENT' || vanished === mostVanished) throw error;
      vanished += 1;
      await makeFolder(dirname(path));
      continue;
    }
    if (waitedMs > patienceMs) {
      const holder = ownerWords(readLockOwner(lockPath), processes);
      throw new StoreError(
        'locked',
        {
          what: `${path} has been locked by ${holder} for ${Math.round(waitedMs / 1000)} s.`,
          advice: `Close other parcel-monitor processes; if there are none, remove ${lockPath}.`,
        },
        path,
      );
    }
    await sleep(clock, 5 + random() * longestPauseMs);
    // A clock that is set in between neither ends the wait nor lets it last.
    waitedMs += Math.min(Math.max(clock.now() - triedAt, 0), longestStepMs);
  }
}

/** Which other process has the lock of a file, in words for a message; null when there is none or it is not known. */
export async function lockHolder(path: string, processes: Processes): Promise<string | null> {
  try {
    const lockPath = lockPathOf(await resolvePath(path));
    // A disk that hangs must not hang us: only what was read once on another thread is read on this one.
    await readWholeFile(ownerPath(lockPath));
    const owner = readLockOwner(lockPath);
    if (owner === null || (owner.pid === processes.pid && owner.scope === processes.scope())) return null;
    return ownerWords(owner, processes);
  } catch {
    // It is only left out of a message.
    return null;
  }
}
