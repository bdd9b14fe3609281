import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import lockfile from 'proper-lockfile';
import type { Clock, Random } from '../service/clock.ts';
import { folderMode } from './atomic-write.ts';
import { StoreLockedError, systemCode } from './errors.ts';

/** A lock nobody refreshed for this long belongs to a killed process and is taken over, in milliseconds. */
const staleMs = 5_000;
/** How long we wait for another process, in milliseconds; longer than it takes for a dead one's lock to go stale. */
const patienceMs = 15_000;
/** Longest pause between two tries, in milliseconds. */
const longestPauseMs = 40;

/** A lock that is held. */
export interface HeldLock {
  /** Throws a `StoreLockedError` when the lock was lost meanwhile, e.g. because the machine slept. */
  assertHeld(): void;
}

/**
 * Runs `work` while holding the lock of a file across all processes (`<path>.lock` beside it), then gives it back.
 * Waits for other holders and takes over a lock whose holder died. `path` must have its links resolved.
 * Throws a `StoreLockedError` naming the lock when it stays held, and what `work` throws.
 */
export async function withFileLock<Result>(
  path: string,
  time: { readonly clock: Clock; readonly random: Random },
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result> {
  await mkdir(dirname(path), { recursive: true, mode: folderMode });
  let lost: Error | null = null;
  const release = await acquire(path, time, (error) => {
    lost = error;
  });
  const assertHeld = (): void => {
    if (lost === null) return;
    throw new StoreLockedError(
      `Another process took over the lock of ${path} while this one was held up. Try again.`,
      path,
      lost,
    );
  };
  try {
    return await work({ assertHeld });
  } finally {
    // A lock that was taken over is the other process's to give back.
    if (lost === null) await release();
  }
}

async function acquire(
  path: string,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  onCompromised: (error: Error) => void,
): Promise<() => Promise<void>> {
  const start = clock.now();
  for (;;) {
    try {
      return await lockfile.lock(path, { realpath: false, stale: staleMs, retries: 0, onCompromised });
    } catch (error) {
      if (systemCode(error) !== 'ELOCKED') throw error;
      const waited = clock.now() - start;
      // The clock may have been set back; then the wait starts to count anew only once it has caught up.
      if (waited > patienceMs) {
        throw new StoreLockedError(
          `${path} has been locked by another process for ${Math.round(waited / 1000)} s. Close other parcel-monitor processes; if there are none, remove ${path}.lock.`,
          path,
          error,
        );
      }
      await pause(clock, 5 + random() * longestPauseMs);
    }
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(ms, resolve);
  });
}
