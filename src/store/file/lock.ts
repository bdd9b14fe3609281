import { renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Clock, type EpochMs, type Random, sleep } from '../../lib/clock.ts';
import { randomId } from '../../lib/paths.ts';
import { StoreError, systemCode } from '../../lib/store-errors.ts';
import { makeFolder } from './folders.ts';
import {
  carriedPath,
  fileSystemTime,
  inspectLock,
  isDead,
  ownerPath,
  ownerText,
  placeLock,
  readLockOwner,
  removeAbandonedLock,
  removeOwnLock,
  renewLock,
} from './lock-folder.ts';
import { readWholeFile, resolvePath } from './open-file.ts';
import type { Processes } from './processes.ts';

export interface LockContext {
  readonly clock: Clock;
  readonly random: Random;
  /** Null if we cannot check processes. Then a dead process's lock can be taken over only once it is stale. */
  readonly processes: Processes | null;
}

export type AcquiredLock = NonNullable<Awaited<ReturnType<FolderLock['tryAcquire']>>>;

/** A lock that is dated further in the future was created while the clock was wrong. */
const maxAheadMs = 2_000;

/**
 * A lock between processes: a folder that names its holder. The holder renews it. A lock is taken over if it was not
 * renewed for `staleMs`, or if its holder is known to have died.
 */
export class FolderLock {
  readonly #path: string;
  readonly #context: LockContext;
  readonly #staleMs: number;
  /** The lock as seen at the last attempt, and when it last changed. */
  #lastSeen: { readonly mark: string; readonly since: EpochMs } | null = null;

  constructor(path: string, context: LockContext, staleMs: number) {
    this.#path = path;
    this.#context = context;
    this.#staleMs = staleMs;
  }

  /**
   * Tries to take the lock. Returns null if another process has it. Throws a `StoreError` if there is something other than
   * a lock, and system errors.
   */
  async tryAcquire() {
    const acquired = await this.#tryPlace();
    if (acquired !== null) return acquired;
    const owner = readLockOwner(this.#path);
    const snapshot = inspectLock(this.#path);
    if (snapshot !== null) {
      const isDeadOwner = owner !== null && isDead(owner, this.#context.processes);
      if (!this.#isStale(snapshot.mark, snapshot.changedAt) && !isDeadOwner) return null;
      removeAbandonedLock(this.#path, owner, snapshot, this.#context.random);
    }
    return await this.#tryPlace();
  }

  async #tryPlace() {
    const { processes, random } = this.#context;
    // Do not prepare a lock while another process has it.
    if (readLockOwner(this.#path) !== null) return null;
    const token = randomId(random);
    const owner = { token, pid: processes?.pid ?? null, scope: processes?.scope() ?? null };
    return (await placeLock(this.#path, owner, random)) ? this.#hold(token) : null;
  }

  #hold(token: string) {
    const { processes, random } = this.#context;
    const path = this.#path;
    const isHeld = (): boolean => readLockOwner(path)?.token === token;
    const renewal = setInterval(() => {
      try {
        if (isHeld()) renewLock(path, random);
      } catch {
        // The next renewal tries again, and the holder checks the lock before it relies on it.
      }
    }, this.#staleMs / 2);
    // A lock must not keep the process running.
    renewal.unref();
    const cancelOnExit = processes?.onExit?.(() => {
      try {
        removeOwnLock(path, token, random);
      } catch {
        // This cannot be reported any more. The next process will see that the holder is dead.
      }
    });
    return {
      /** Whether we have the lock right now. Throws system errors. */
      isHeld,
      /** Releases the lock. Does nothing if another process has taken it over. */
      release: async (): Promise<void> => {
        clearInterval(renewal);
        removeOwnLock(path, token, random);
        cancelOnExit?.();
      },
    };
  }

  #isStale(mark: string, changedAt: EpochMs): boolean {
    const { clock, random } = this.#context;
    const now = clock.now();
    if (this.#lastSeen?.mark !== mark || now < this.#lastSeen.since) this.#lastSeen = { mark, since: now };
    // If our clock was set forward, every lock looks old, so the file system's clock decides.
    if (now - changedAt > this.#staleMs)
      return fileSystemTime(this.#path, random).getTime() - changedAt > this.#staleMs;
    // If our clock was set back, a dead process's lock would look fresh until the clock catches up.
    return changedAt > now + maxAheadMs && now - this.#lastSeen.since > this.#staleMs;
  }
}

/** If a lock was not renewed for this long, its holder has died or is suspended. */
const staleMs = 5_000;
/** How long to wait for a lock. Longer than it takes for a dead process's lock to become stale. */
const maxWaitMs = 15_000;
const maxPauseMs = 40;
/** How much a single attempt can add to the measured wait. */
const maxStepMs = 1_000;
/** How often the folder may vanish while we try to take the lock. */
const maxVanished = 20;

export interface HeldLock {
  /** Throws a {@link LockLostError} if the lock was lost, for example because the machine was asleep. */
  assertHeld(): void;
  /**
   * Moves a file into the lock's folder and returns its new path. If another process takes over the lock, the file moves
   * with it, so that a rename from this path fails. Throws a {@link LockLostError}.
   */
  moveIntoLock(file: string): string;
}

/** Another process took over our lock before anything was written. Retry. */
export class LockLostError extends StoreError {
  constructor(path: string) {
    super(
      'locked',
      { what: `Another process took over the lock on ${path} while this process was suspended.`, advice: 'Try again.' },
      path,
    );
  }
}

const lockPathFor = (path: string): string => `${path}.lock`;

/**
 * Runs `work` while holding a file's lock (`<path>.lock`). Waits for other holders, and takes over a dead process's lock,
 * immediately if the death is known. Links in `path` must have been resolved. If the wait is too long, throws a
 * `StoreError` that names the lock and its holder. Also throws the errors of `work`.
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
  const moveIntoLock = (file: string): string => {
    assertHeld();
    const movedPath = join(carriedPath(lockPathFor(path)), basename(file));
    renameSync(file, movedPath);
    // The file may have ended up in another process's lock.
    try {
      assertHeld();
    } catch (error) {
      rmSync(movedPath, { force: true });
      throw error;
    }
    return movedPath;
  };
  try {
    return await work({ assertHeld, moveIntoLock });
  } finally {
    await lock.release();
  }
}

async function acquire(path: string, context: LockContext): Promise<AcquiredLock> {
  const { clock, processes, random } = context;
  const lockPath = lockPathFor(path);
  const lock = new FolderLock(lockPath, context, staleMs);
  for (let [waitedMs, vanishedCount] = [0, 0]; ; ) {
    const triedAt = clock.now();
    try {
      const acquired = await lock.tryAcquire();
      if (acquired !== null) return acquired;
    } catch (error) {
      // Others may remove or create the folder at the same time.
      if (systemCode(error) !== 'ENOENT' || vanishedCount === maxVanished) throw error;
      vanishedCount += 1;
      await makeFolder(dirname(path));
      continue;
    }
    if (waitedMs > maxWaitMs) {
      const holder = ownerText(readLockOwner(lockPath), processes);
      throw new StoreError(
        'locked',
        {
          what: `${path} has been locked by ${holder} for ${Math.round(waitedMs / 1000)} s.`,
          advice: `Close other parcel-monitor processes; if there are none, delete ${lockPath}.`,
        },
        path,
      );
    }
    await sleep(clock, 5 + random() * maxPauseMs);
    // A clock change must neither end nor prolong the wait.
    waitedMs += Math.min(Math.max(clock.now() - triedAt, 0), maxStepMs);
  }
}

/** Describes the other process that has a file's lock, for a message. Null if there isn't one, or if it is unknown. */
export async function lockHolder(path: string, processes: Processes): Promise<string | null> {
  try {
    const lockPath = lockPathFor(await resolvePath(path));
    // If the disk hangs, this thread must not block, so first read the file on another thread.
    await readWholeFile(ownerPath(lockPath));
    const owner = readLockOwner(lockPath);
    if (owner === null || (owner.pid === processes.pid && owner.scope === processes.scope())) return null;
    return ownerText(owner, processes);
  } catch {
    // Then the message does not name the holder.
    return null;
  }
}
