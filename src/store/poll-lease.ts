import { dirname } from 'node:path';
import { asStoreErrors, StoreError } from '../lib/store-errors.ts';
import { makeFolder } from './file/folders.ts';
import { type AcquiredLock, FolderLock, type LockContext } from './file/lock.ts';

/** The right to poll the service. One process has it, and the others follow that process. */
export interface PollLease {
  /** Takes the lease if it is free. Returns whether we have it. Call this regularly. Rejects with a `StoreError`. */
  hold(): Promise<boolean>;
  /**
   * Whether we have the lease right now. Check this before each request: if the process was suspended or the machine was
   * asleep, the lease may have been lost without notice.
   */
  isHeld(): boolean;
  /**
   * The number of our lease, which is higher than all earlier ones. A store that hosts share rejects writes with a lower
   * number. Null if we do not have the lease, or if it is on disk, where numbers are not checked.
   */
  fence(): number | null;
  /** Call this when the store rejected our number, so that the lease is checked again before it is relied on. */
  suspectLoss?(): void;
  release(): Promise<void>;
  /** Set if hosts share the lease. Then a host that cannot reach it must not poll, because another one may be polling. */
  readonly isBinding?: true;
}

/** The programs that use the same watchlist. */
export interface ConnectedPrograms {
  /** The program that polls, or null. */
  readonly checkedBy: CheckedBy | null;
  /** Number of open boards on all hosts, including ours. */
  readonly boards: number;
}

interface CheckedBy {
  /** The name of its host, without control characters. */
  readonly host: string;
  readonly isHeldByUs: boolean;
}

/** Lets programs on several hosts know about each other. Methods reject with a `StoreError`. */
export interface Presence {
  /**
   * Announces this program, and returns which programs there are. Call this every few seconds: a program that is silent
   * for 15 seconds counts as gone.
   */
  look(): Promise<ConnectedPrograms>;
  /** Withdraws our announcement, if there is one. */
  leave(): Promise<void>;
}

/** Another process has taken the lease, so nothing was written. */
export class LeaseLostError extends StoreError {
  constructor(path: string) {
    super('locked', 'Another machine has taken over checking the parcels. You do not need to do anything.', path);
  }
}

/** In milliseconds. If a lease was not renewed for this long, its holder has died or is suspended. */
const defaultStaleMs = 10_000;

/**
 * Creates a lease for all processes that use the same path. On disk, it is the folder `<path>.lock`, which names the
 * holder. The holder renews it twice per `staleMs`. A dead process's lease is taken over immediately if the death is
 * known.
 */
export function createFilePollLease(path: string, context: LockContext, staleMs = defaultStaleMs): PollLease {
  const lock = new FolderLock(`${path}.lock`, context, staleMs);
  let held: AcquiredLock | null = null;
  let attempt: Promise<boolean> | null = null;

  const isHeld = (): boolean => {
    try {
      return held?.isHeld() ?? false;
    } catch {
      // If we cannot tell, we must not rely on the lease. The next `hold` reports the error.
      return false;
    }
  };
  const take = async (): Promise<boolean> => {
    if (isHeld()) return true;
    await drop();
    await makeFolder(dirname(path));
    held = await lock.tryAcquire();
    return isHeld();
  };
  const drop = async (): Promise<void> => {
    const lost = held;
    held = null;
    await lost?.release();
  };

  return {
    hold() {
      attempt ??= asStoreErrors(path, take).finally(() => {
        attempt = null;
      });
      return attempt;
    },
    isHeld,
    fence: () => null,
    release: () => asStoreErrors(path, drop),
  };
}
