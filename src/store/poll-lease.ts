import { dirname } from 'node:path';
import { asStoreErrors, StoreError } from '../lib/store-errors.ts';
import { makeFolder } from './file/folders.ts';
import { FolderLock, type LockContext, type TakenLock } from './file/lock.ts';

/** The right to poll the service: one process has it, and the others follow. */
export interface PollLease {
  /** Takes the lease if it is free, and returns whether we have it. Call it regularly. Rejects with a `StoreError`. */
  hold(): Promise<boolean>;
  /**
   * Whether we have the lease right now. Check it before each request: a stopped process or a sleeping machine may have
   * lost it without noticing.
   */
  isHeld(): boolean;
  /**
   * The number of this lease, higher than all before: a store shared by hosts refuses writes with a lower one. Null if
   * we do not have the lease, or if it is a file, which does not compare numbers.
   */
  fence(): number | null;
  /** Call this when the store has refused the number. We then check the lease again before we rely on it. */
  doubt?(): void;
  release(): Promise<void>;
  /** Set if hosts share it: a host that cannot reach it must not poll, since another one does. */
  readonly isBinding?: true;
}

/** The programs that use the same watchlist. */
export interface Company {
  /** Which program polls, or null. */
  readonly checkedBy: CheckedBy | null;
  /** Open boards on all hosts, including ours. */
  readonly boards: number;
}

interface CheckedBy {
  /** The name of its host, safe to show. */
  readonly host: string;
  readonly isHeldByUs: boolean;
}

/** Announces programs on several hosts to each other. Methods reject with a `StoreError`. */
export interface Presence {
  /**
   * Announces us and returns the other programs. Call it every few seconds: a program that is silent for a minute
   * counts as gone.
   */
  look(): Promise<Company>;
  /** Removes our announcement. Does nothing if there is none. */
  leave(): Promise<void>;
}

/** Nothing was written: another process has taken the lease since. */
export class LeaseLostError extends StoreError {
  constructor(path: string) {
    super('locked', 'Another computer checks the parcels now. You do not need to do anything.', path);
  }
}

/** In milliseconds. A lease that was not renewed for this long belongs to a process that died or sleeps. */
const defaultStaleMs = 10_000;

/**
 * Creates a lease shared by all processes with the same path. On disk it is the folder `<path>.lock`, which names its
 * holder. The holder renews it twice within `staleMs`, which is at least two seconds. A dead process's lease is taken
 * over immediately if the death is known.
 */
export function createFilePollLease(path: string, context: LockContext, staleMs = defaultStaleMs): PollLease {
  const lock = new FolderLock(`${path}.lock`, context, staleMs);
  let held: TakenLock | null = null;
  let taking: Promise<boolean> | null = null;

  const isHeld = (): boolean => {
    try {
      return held?.isHeld() ?? false;
    } catch {
      // If we cannot tell, we must not rely on it; the next `hold` reports why.
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
