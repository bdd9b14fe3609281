import { renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sleep } from '../../service/clock/clock.ts';
import { StoreError, systemCode } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { FolderLock, type LockContext, type TakenLock } from './folder-lock.ts';
import { ownerWords, passageName } from './lock-owner.ts';

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
    super('locked', `Another process took over the lock of ${path} while this one was held up. Try again.`, path);
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
export function lockPathOf(path: string): string {
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
        `${path} has been locked by ${holder} for ${Math.round(waitedMs / 1000)} s. Close other parcel-monitor processes; if there are none, remove ${lockPathOf(path)}.`,
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
