import { dirname } from 'node:path';
import { systemCode, toStoreError } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { uniquePart } from '../files/temp-name.ts';
import { createFreezeWatch } from '../lock/freeze-watch.ts';
import type { LockContext } from '../lock/lock.ts';
import { createLockFileSystem, isStillOf, removeAbandonedLock } from '../lock/lock-folder.ts';
import { isDead, ownerText, readLockOwner } from '../lock/lock-owner.ts';

/** The right to poll: one process at a time has it, further ones follow. */
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
  /** Takes the lease unless somebody holds it. */
  const tryToLock = async (): Promise<boolean> => {
    try {
      return await lock();
    } catch (error) {
      const code = systemCode(error);
      // Or it was taken from us while we were taking it, because this process was stopped in the middle.
      if (code === 'ELOCKED' || code === 'ENOENT') return false;
      throw error;
    }
  };
  const take = async (): Promise<boolean> => {
    if (isHeld()) return true;
    await letGo();
    await makeFolder(dirname(path));
    if (await tryToLock()) return true;
    const owner = readLockOwner(lockPath);
    const isAbandoned = owner !== null && isDead(owner, processes);
    if (!isAbandoned && !(await isFrozen())) return false;
    await removeAbandonedLock(lockPath, isStillOf(owner), random);
    return await tryToLock();
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
