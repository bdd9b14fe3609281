import { join } from 'node:path';
import { isJsonObject } from '../../lib/json.ts';
import { NotAFileError, systemCode } from '../../lib/store-errors.ts';
import { readWholeFileSync } from './open-file.ts';

/** What the system knows about processes; handed in, since a lock says who holds it. */
export interface Processes {
  /** This process. */
  readonly pid: number;
  /** The user whom this process acts for; null or absent where there are no users. */
  readonly uid?: number | null;
  /** Names where process ids count: the machine, and the container on it. */
  scope(): string;
  /** Whether a process of this scope runs. */
  isRunning(pid: number): boolean;
  /** Has something called when this process ends; answers how to call it off. Absent where that cannot be known. */
  onExit?(call: () => void): () => void;
}

/** Who holds a lock, as written in its folder. */
export interface LockOwner {
  /** Differs for each time that a lock is taken. */
  readonly token: string;
  /** Null when the holder did not say. */
  readonly pid: number | null;
  readonly scope: string | null;
}

/** The only file in a lock's folder. */
export const ownerName = 'owner.json';

/** The only folder in it: what lies there goes with the lock when that is taken over. */
export const passageName = 'passage';

/** The file in a lock's folder that names its holder. */
export function ownerPath(lockPath: string): string {
  return join(lockPath, ownerName);
}

/** How a holder is written down. */
export function ownerText(token: string, processes: Processes | null): string {
  const owner: LockOwner = { token, pid: processes?.pid ?? null, scope: processes?.scope() ?? null };
  return `${JSON.stringify(owner)}\n`;
}

/** What the system says where no owner can be read: one of another user's lock need not be readable to us. */
const ownerUnknown = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM']);

/** Who holds a lock; null when nobody does or it does not say, or not to us. Throws what the system throws. */
export function readLockOwner(lockPath: string): LockOwner | null {
  try {
    const owner: unknown = JSON.parse(readWholeFileSync(ownerPath(lockPath)).toString('utf8'));
    if (!isJsonObject(owner)) return null;
    const { token, pid, scope } = owner;
    if (typeof token !== 'string') return null;
    return { token, pid: typeof pid === 'number' ? pid : null, scope: typeof scope === 'string' ? scope : null };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NotAFileError) return null;
    if (ownerUnknown.has(systemCode(error) ?? '')) return null;
    throw error;
  }
}

/** Whether the holder is known to have died; one on another machine never is. */
export function isDead(owner: LockOwner, processes: Processes | null): boolean {
  if (processes === null || owner.pid === null || owner.scope !== processes.scope()) return false;
  return owner.pid !== processes.pid && !processes.isRunning(owner.pid);
}

/** The holder in words, for a message. */
export function ownerWords(owner: LockOwner | null, processes: Processes | null): string {
  if (owner === null || owner.pid === null) return 'another process';
  if (processes !== null && owner.pid === processes.pid && owner.scope === processes.scope()) return 'this process';
  const where = processes === null || owner.scope === processes.scope() ? '' : ' on another machine';
  return `another process${where} (process id ${owner.pid})`;
}
