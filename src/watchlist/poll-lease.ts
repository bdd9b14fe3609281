import { dirname } from 'node:path';
import { systemCode, toStoreError } from './errors.ts';
import { makeFolder } from './make-folder.ts';

/** The right to ask the service by itself: one process at a time has it, further ones follow (design.md, decision 6). */
export interface PollLease {
  /** Takes the lease if nobody holds it; true when it is ours. To be called again and again. Rejects with a `StoreError`. */
  hold(): Promise<boolean>;
  /** Gives the lease back; harmless when it is not ours. */
  release(): Promise<void>;
}

/** A lease that nobody renewed for this long belongs to a process that died or sleeps, in milliseconds. */
const defaultStaleMs = 10_000;

/**
 * A lease shared by all processes that name the same path; what stands for it on disk is the folder `<path>.lock`. Its
 * holder renews it twice within `staleMs`, which is two seconds at least.
 */
export function createFilePollLease(path: string, staleMs = defaultStaleMs): PollLease {
  let giveBack: (() => Promise<void>) | null = null;
  return {
    async hold() {
      if (giveBack !== null) return true;
      try {
        await makeFolder(dirname(path));
        // Lost while this machine slept or the process stood still: another one may have it now.
        const onCompromised = (): void => {
          giveBack = null;
        };
        // Commands that only read need none of it.
        const { default: lockfile } = await import('proper-lockfile');
        giveBack = await lockfile.lock(path, { realpath: false, stale: staleMs, retries: 0, onCompromised });
        return true;
      } catch (error) {
        if (systemCode(error) === 'ELOCKED') return false;
        throw toStoreError(error, path);
      }
    },
    async release() {
      const release = giveBack;
      giveBack = null;
      try {
        await release?.();
      } catch (error) {
        // Lost in this very moment: then it is the other's.
        const code = systemCode(error);
        if (code !== 'ERELEASED' && code !== 'ENOTACQUIRED') throw toStoreError(error, path);
      }
    },
  };
}
