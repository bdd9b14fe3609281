import { dirname } from 'node:path';
import type { Clock, Random } from '../service/clock.ts';
import { uniquePart } from './atomic-write.ts';
import { StoreLockedError, systemCode } from './errors.ts';
import { createLockFileSystem, isSameLock, removeAbandonedLock } from './lock-folder.ts';
import { isDead, ownerText, ownerWords, type Processes, readLockOwner } from './lock-owner.ts';
import { makeFolder } from './make-folder.ts';

/** A lock nobody refreshed for this long belongs to a process that died or sleeps and is taken over, in milliseconds. */
const staleMs = 5_000;
/** How long we wait for another process, in milliseconds; longer than it takes for a dead one's lock to go stale. */
const patienceMs = 15_000;
/** Longest pause between two tries, in milliseconds. */
const longestPauseMs = 40;

/** A lock that is held. */
export interface HeldLock {
  /** Throws a {@link LockLostError} when the lock was lost meanwhile, e.g. because the machine slept. */
  assertHeld(): void;
}

/** Another process took a lock from us while we were held up; nothing was written. To be tried again. */
export class LockLostError extends StoreLockedError {}

/** What taking a lock needs from its surroundings. */
export interface LockContext {
  readonly clock: Clock;
  readonly random: Random;
  /** Null when nothing is known about processes: then a dead one's lock is taken over when it is stale. */
  readonly processes: Processes | null;
}

/**
 * Runs `work` while holding the lock of a file across all processes (`<path>.lock` beside it), then gives it back.
 * Waits for other holders and takes over a lock whose holder died, at once where that can be told. `path` must have its
 * links resolved. Throws a `StoreLockedError` naming lock and holder when it stays held, and what `work` throws.
 */
export async function withFileLock<Result>(
  path: string,
  context: LockContext,
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result> {
  await makeFolder(dirname(path));
  const token = uniquePart(context.random);
  let lost: Error | null = null;
  const release = await acquire(path, token, context, (error) => {
    lost = error;
  });
  const isHeld = (): boolean => lost === null && readLockOwner(lockPathOf(path))?.token === token;
  const assertHeld = (): void => {
    if (isHeld()) return;
    throw new LockLostError(
      `Another process took over the lock of ${path} while this one was held up. Try again.`,
      path,
      lost ?? undefined,
    );
  };
  try {
    return await work({ assertHeld });
  } finally {
    await giveBack(release);
  }
}

/** The folder that stands for the lock of a file. */
function lockPathOf(path: string): string {
  return `${path}.lock`;
}

async function acquire(
  path: string,
  token: string,
  { clock, random, processes }: LockContext,
  onCompromised: (error: Error) => void,
): Promise<() => Promise<void>> {
  // Commands that only read need none of it.
  const { default: lockfile } = await import('proper-lockfile');
  const lockPath = lockPathOf(path);
  const text = ownerText(token, processes);
  const start = clock.now();
  for (;;) {
    try {
      const fs = createLockFileSystem({ text, token, random });
      return await lockfile.lock(path, { realpath: false, stale: staleMs, retries: 0, onCompromised, fs });
    } catch (error) {
      if (systemCode(error) !== 'ELOCKED') throw error;
      const owner = readLockOwner(lockPath);
      if (owner !== null && isDead(owner, processes)) {
        await removeAbandonedLock(lockPath, isSameLock(owner), random);
        continue;
      }
      const waited = clock.now() - start;
      // The clock may have been set back; then the wait starts to count anew only once it has caught up.
      if (waited > patienceMs) {
        const holder = ownerWords(owner, processes);
        throw new StoreLockedError(
          `${path} has been locked by ${holder} for ${Math.round(waited / 1000)} s. Close other parcel-monitor processes; if there are none, remove ${lockPath}.`,
          path,
          error,
        );
      }
      await pause(clock, 5 + random() * longestPauseMs);
    }
  }
}

/** A lock that was taken over is the other process's to give back. */
async function giveBack(release: () => Promise<void>): Promise<void> {
  try {
    await release();
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'ERELEASED' && code !== 'ENOTACQUIRED' && code !== 'ENOENT') throw error;
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(ms, resolve);
  });
}
