import { renameSync, rmSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock, Random } from '../../service/clock/clock.ts';
import { StoreLockedError, systemCode } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { uniquePart } from '../files/temp-name.ts';
import { createFreezeWatch } from './freeze-watch.ts';
import { createLockFileSystem, isStillOf, removeAbandonedLock } from './lock-folder.ts';
import { isDead, ownerText, ownerWords, type Processes, passageName, readLockOwner } from './lock-owner.ts';

/** A lock nobody refreshed for this long belongs to a process that died or sleeps and is taken over, in milliseconds. */
const staleMs = 5_000;
/** How long we wait for another process, in milliseconds; longer than it takes for a dead one's lock to go stale. */
const patienceMs = 15_000;
/** Longest pause between two tries, in milliseconds. */
const longestPauseMs = 40;
/** What one try can add to a wait, in milliseconds. */
const longestStepMs = 1_000;
/** Locks bear the next full second at most; a time further ahead was given while the clock was wrong, in milliseconds. */
const aheadMs = 2_000;
/** How often a lock may vanish while it is being taken. */
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
    await giveBack(release);
  }
}

/** The folder that stands for the lock of a file. */
export function lockPathOf(path: string): string {
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
  const isFrozen = createFreezeWatch(lockPath, clock, staleMs);
  let waitedMs = 0;
  let vanished = 0;
  for (;;) {
    const triedAt = clock.now();
    try {
      const fs = createLockFileSystem({ text, token, random });
      return await lockfile.lock(path, { realpath: false, stale: staleMs, retries: 0, onCompromised, fs });
    } catch (error) {
      const code = systemCode(error);
      if (code === 'ENOENT' && vanished < mostVanished) {
        // Taken from us while we were taking it, because this process was stopped in the middle; or with its folder.
        vanished += 1;
        await makeFolder(dirname(path));
        continue;
      }
      if (code !== 'ELOCKED') throw error;
      const owner = readLockOwner(lockPath);
      const isLeft = (await isFrozen()) && (await isAhead(lockPath, clock));
      if (isLeft || (owner !== null && isDead(owner, processes))) {
        await removeAbandonedLock(lockPath, isStillOf(owner), random);
        continue;
      }
      if (waitedMs > patienceMs) {
        const holder = ownerWords(owner, processes);
        throw new StoreLockedError(
          `${path} has been locked by ${holder} for ${Math.round(waitedMs / 1000)} s. Close other parcel-monitor processes; if there are none, remove ${lockPath}.`,
          path,
          error,
        );
      }
      await pause(clock, 5 + random() * longestPauseMs);
    }
    // A clock that is set meanwhile neither ends the wait nor lets it last.
    waitedMs += Math.min(Math.max(clock.now() - triedAt, 0), longestStepMs);
  }
}

/** Whether a lock bears a time to come, so that its own time cannot tell for how long it has been left alone. */
async function isAhead(lockPath: string, clock: Pick<Clock, 'now'>): Promise<boolean> {
  try {
    return (await lstat(lockPath)).mtimeMs > clock.now() + aheadMs;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
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
