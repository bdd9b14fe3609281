import { renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Clock, type EpochMs, type Random, sleep } from '../../lib/clock.ts';
import { uniquePart } from '../../lib/paths.ts';
import { StoreError, systemCode } from '../../lib/store-errors.ts';
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
import { readWholeFile, resolvePath } from './open-file.ts';
import type { Processes } from './processes.ts';

export interface LockContext {
  readonly clock: Clock;
  readonly random: Random;
  /** Null if we cannot ask about processes. Then a dead process's lock is taken over when it is stale. */
  readonly processes: Processes | null;
}

export type TakenLock = NonNullable<Awaited<ReturnType<FolderLock['tryToTake']>>>;

/** In milliseconds. A lock dated further ahead was made while the clock was wrong. */
const aheadMs = 2_000;

/**
 * One lock for all processes: a folder that names its holder. The holder renews it. A lock that was not renewed for
 * `staleMs`, or whose holder has died, is taken over.
 */
export class FolderLock {
  readonly #path: string;
  readonly #context: LockContext;
  readonly #staleMs: number;
  /** The lock as seen at the last try, and since when it is unchanged. */
  #seen: { readonly mark: string; readonly since: EpochMs } | null = null;

  constructor(path: string, context: LockContext, staleMs: number) {
    this.#path = path;
    this.#context = context;
    this.#staleMs = staleMs;
  }

  /**
   * Takes the lock. Returns null if another process has it. Throws a `StoreError` if something else is there, and
   * system errors.
   */
  async tryToTake() {
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

  async #place() {
    const { processes, random } = this.#context;
    // A waiting process need not prepare a lock.
    if (readLockOwner(this.#path) !== null) return null;
    const token = uniquePart(random);
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
        // We try again soon. The holder checks the lock before it relies on it.
      }
    }, this.#staleMs / 2);
    // A lock does not keep the process running.
    renewal.unref();
    const forget = processes?.onExit?.(() => {
      try {
        removeOwnLock(path, token, random);
      } catch {
        // We cannot report this. The next process sees that the holder is dead.
      }
    });
    return {
      /** Whether we have the lock right now. Throws system errors. */
      isHeld,
      /** Releases it. Does nothing if another process has taken it over. */
      release: async (): Promise<void> => {
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
    // If the clock was set forward, every lock looks old, so the file system's clock decides.
    if (now - changedAt > this.#staleMs)
      return fileSystemTime(this.#path, random).getTime() - changedAt > this.#staleMs;
    // If the clock was set back, a dead process's lock would look fresh until the clock catches up.
    return changedAt > now + aheadMs && now - this.#seen.since > this.#staleMs;
  }
}

/** In milliseconds. A lock that was not renewed for this long belongs to a process that died or sleeps. */
const staleMs = 5_000;
/** How long we wait for another process, in milliseconds. Longer than a dead process's lock takes to become stale. */
const patienceMs = 15_000;
const maxPauseMs = 40;
/** Maximum time that one try adds to a wait, in milliseconds. */
const maxStepMs = 1_000;
/** Maximum number of times that a lock's folder may vanish while we take the lock. */
const maxVanished = 20;

export interface HeldLock {
  /** Throws a {@link LockLostError} if the lock was lost, for example because the machine slept. */
  assertHeld(): void;
  /**
   * Moves a file into the lock, so that it moves with the lock if another process takes it over, and the rename from
   * there fails. Returns the new path. Throws a {@link LockLostError}.
   */
  passThrough(file: string): string;
}

/** Another process took the lock from us, and nothing was written. Retry. */
export class LockLostError extends StoreError {
  constructor(path: string) {
    super(
      'locked',
      { what: `Another process took over the lock on ${path} while this process was suspended.`, advice: 'Try again.' },
      path,
    );
  }
}

const lockPathOf = (path: string): string => `${path}.lock`;

/**
 * Runs `work` with a file's lock (`<path>.lock`), then releases it. Waits for other holders and takes over a dead
 * process's lock, immediately if the death is known. Links in `path` must be resolved. Throws a `StoreError` that names
 * lock and holder if the wait is too long, and the errors of `work`.
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
    // It may have moved into another process's lock.
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
      // Others may remove or create the folder at the same moment.
      if (systemCode(error) !== 'ENOENT' || vanished === maxVanished) throw error;
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
    await sleep(clock, 5 + random() * maxPauseMs);
    // A change of the clock neither ends nor prolongs the wait.
    waitedMs += Math.min(Math.max(clock.now() - triedAt, 0), maxStepMs);
  }
}

/** Names the other process that has a file's lock, for a message. Null if no other process has it, or we cannot tell. */
export async function lockHolder(path: string, processes: Processes): Promise<string | null> {
  try {
    const lockPath = lockPathOf(await resolvePath(path));
    // A hanging disk must not block us, so on this thread we only read what another thread has read once.
    await readWholeFile(ownerPath(lockPath));
    const owner = readLockOwner(lockPath);
    if (owner === null || (owner.pid === processes.pid && owner.scope === processes.scope())) return null;
    return ownerWords(owner, processes);
  } catch {
    // The message then omits the holder.
    return null;
  }
}
