import { readFile } from 'node:fs/promises';
import { resolvePath } from '../files/resolve-path.ts';
import { lockPathOf } from './lock.ts';
import { ownerPath, ownerWords, type Processes, readLockOwner } from './lock-owner.ts';

/** Who else holds the lock of a file, in words for a message; null when nobody does or it is not known. */
export async function lockHolder(path: string, processes: Processes): Promise<string | null> {
  try {
    const lockPath = lockPathOf(await resolvePath(path));
    // A disk that hangs must not hang us: only what could be read once is looked at again.
    await readFile(ownerPath(lockPath));
    const owner = readLockOwner(lockPath);
    if (owner === null || (owner.pid === processes.pid && owner.scope === processes.scope())) return null;
    return ownerWords(owner, processes);
  } catch {
    // Nobody holds it, or nobody can say who does: either way it is only left out of a message.
    return null;
  }
}
