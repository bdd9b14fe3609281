import { dirname } from 'node:path';
import { asStoreErrors, StoreError } from '../lib/store-errors.ts';
import { makeFolder } from './file/folders.ts';
import { FolderLock, type LockContext, type TakenLock } from './file/lock.ts';

/** The right to poll the service: one process at a time has it, further ones follow. */
export interface PollLease {
  /** Takes the lease if it is free; true when it is ours. To be called again and again. Rejects with a `StoreError`. */
  hold(): Promise<boolean>;
  /**
   * Whether the lease is ours in this very moment. To be checked right before each call: a process that was stopped, or a
   * machine that slept, may have lost it without having had time to notice.
   */
  isHeld(): boolean;
  /**
   * The number of this holding, higher than those of all before it: a store that is shared by hosts refuses what comes with
   * a lower one. Null where the lease is not ours, or is kept in a file, where it is not compared.
   */
  fence(): number | null;
  /** To be called when the store has refused the number: then it is not relied on before it has been looked at anew. */
  doubt?(): void;
  release(): Promise<void>;
  /** Set where hosts share it: who cannot keep it must not poll, since another host does. */
  readonly isBinding?: true;
}

/** Nothing was written: another process has taken the lease since the number was given that came along. */
export class LeaseLostError extends StoreError {
  constructor(path: string) {
    super('locked', 'Another computer checks the parcels now. You need not do anything.', path);
  }
}

/** A lease that was not renewed for this long belongs to a process that died or sleeps, in milliseconds. */
const defaultStaleMs = 10_000;

/**
 * A lease shared by all processes that name the same path; what stands for it on disk is the folder `<path>.lock`, which
 * names its holder. Its holder renews it twice within `staleMs`, which is two seconds at least; that of a dead process is
 * taken over at once where that is known.
 */
export function createFilePollLease(path: string, context: LockContext, staleMs = defaultStaleMs): PollLease {
  const lock = new FolderLock(`${path}.lock`, context, staleMs);
  let held: TakenLock | null = null;
  let taking: Promise<boolean> | null = null;

  const isHeld = (): boolean => {
    try {
      return held?.isHeld() ?? false;
    } catch {
      // Who does not know must not rely on it; the next `hold` says why.
      return false;
    }
  };
  const take = async (): Promise<boolean> => {
    if (isHeld()) return true;
    await letGo();
    await makeFolder(dirname(path));
    held = await lock.tryToTake();
    return isHeld();
  };
  const letGo = async (): Promise<void> => {
    const lost = held;
    held = null;
    await lost?.release();
  };

  return {
    hold() {
      taking ??= asStoreErrors(path, take).finally(() => {
        taking = null;
      });
      return taking;
    },
    isHeld,
    fence: () => null,
    release: () => asStoreErrors(path, letGo),
  };
}
