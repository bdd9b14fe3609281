import { dirname } from 'node:path';
import type { Clock, EpochMs } from '../service/clock.ts';
import { uniquePart } from './atomic-write.ts';
import { systemCode, toStoreError } from './errors.ts';
import { fileMark } from './file-mark.ts';
import type { LockContext } from './lock.ts';
import { createLockFileSystem, isSameLock, removeAbandonedLock } from './lock-folder.ts';
import { isDead, type LockOwner, ownerText, readLockOwner } from './lock-owner.ts';
import { makeFolder } from './make-folder.ts';

/** The right to ask the service by itself: one process at a time has it, further ones follow (design.md, decision 6). */
export interface PollLease {
  /** Takes the lease if nobody holds it; true when it is ours. To be called again and again. Rejects with a `StoreError`. */
  hold(): Promise<boolean>;
  /**
   * Whether the lease is ours in this very moment. To be asked right before each call: a process that was stopped, or a
   * machine that slept, may have lost it without having had time to notice.
   */
  isHeld(): boolean;
  /** Gives the lease back; harmless when it is not ours. */
  release(): Promise<void>;
}

/** A lease that nobody renewed for this long belongs to a process that died or sleeps, in milliseconds. */
const defaultStaleMs = 10_000;

/**
 * A lease shared by all processes that name the same path; what stands for it on disk is the folder `<path>.lock`, which
 * names its holder. Its holder renews it twice within `staleMs`, which is two seconds at least; that of a dead process is
 * taken over at once where that can be told.
 */
export function createFilePollLease(path: string, context: LockContext, staleMs = defaultStaleMs): PollLease {
  const { clock, processes, random } = context;
  const lockPath = `${path}.lock`;
  const isFrozen = createFreezeWatch(lockPath, clock, staleMs);
  let held: { readonly token: string; readonly giveBack: () => Promise<void> } | null = null;
  let taking: Promise<boolean> | null = null;

  const isHeld = (): boolean => {
    try {
      return held !== null && readLockOwner(lockPath)?.token === held.token;
    } catch {
      // Who cannot tell must not rely on it; why not is told by the next `hold`.
      return false;
    }
  };
  const lock = async (): Promise<boolean> => {
    await makeFolder(dirname(path));
    const token = uniquePart(random);
    // Commands that only read need none of it.
    const { default: lockfile } = await import('proper-lockfile');
    const giveBack = await lockfile.lock(path, {
      realpath: false,
      stale: staleMs,
      retries: 0,
      fs: createLockFileSystem({ text: ownerText(token, processes), token, random }),
      // Lost while this machine slept or the process stood still: another one may have it now.
      onCompromised: () => {
        if (held?.token === token) held = null;
      },
    });
    held = { token, giveBack };
    return isHeld();
  };
  const take = async (): Promise<boolean> => {
    if (isHeld()) return true;
    await letGo();
    try {
      return await lock();
    } catch (error) {
      if (systemCode(error) !== 'ELOCKED') throw error;
    }
    const owner = readLockOwner(lockPath);
    const isAbandoned = owner !== null && isDead(owner, processes);
    if (!isAbandoned && !(await isFrozen())) return false;
    await removeAbandonedLock(lockPath, isStill(owner), random);
    return await lock().catch((error: unknown) => {
      if (systemCode(error) === 'ELOCKED') return false;
      throw error;
    });
  };
  const letGo = async (): Promise<void> => {
    const lost = held;
    held = null;
    try {
      await lost?.giveBack();
    } catch (error) {
      // Lost in this very moment: then it is the other's.
      const code = systemCode(error);
      if (code !== 'ERELEASED' && code !== 'ENOTACQUIRED' && code !== 'ENOENT') throw error;
    }
  };
  const told = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw toStoreError(error, path);
    }
  };

  return {
    hold() {
      taking ??= told(take).finally(() => {
        taking = null;
      });
      return taking;
    },
    isHeld,
    release: () => told(letGo),
  };
}

function isStill(owner: LockOwner | null): (path: string) => Promise<boolean> {
  return owner === null ? async (path) => readLockOwner(path) === null : isSameLock(owner);
}

/**
 * Tells a lock that nobody has renewed for `staleMs` of watching it. The times of files tell that too, but not after the
 * clock was set back: then the lock of a process that died before would look fresh until the clock has caught up.
 */
function createFreezeWatch(lockPath: string, clock: Pick<Clock, 'now'>, staleMs: number): () => Promise<boolean> {
  let seen: { readonly mark: string; readonly since: EpochMs } | null = null;
  return async () => {
    const mark = await fileMark(lockPath);
    const now = clock.now();
    if (seen?.mark !== mark || now < seen.since) seen = { mark, since: now };
    return now - seen.since > staleMs;
  };
}
