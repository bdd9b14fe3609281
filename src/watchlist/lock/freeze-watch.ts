import type { Clock, EpochMs } from '../../service/clock/clock.ts';
import { entryMark } from '../files/file-mark.ts';

/**
 * Tells a lock that nobody has renewed for `staleMs` of watching it. The times of files tell that too, but not after the
 * clock was set back: then the lock of a process that died before would look fresh until the clock has caught up.
 */
export function createFreezeWatch(
  lockPath: string,
  clock: Pick<Clock, 'now'>,
  staleMs: number,
): () => Promise<boolean> {
  let seen: { readonly mark: string; readonly since: EpochMs } | null = null;
  return async () => {
    const mark = await entryMark(lockPath);
    const now = clock.now();
    if (seen?.mark !== mark || now < seen.since) seen = { mark, since: now };
    return now - seen.since > staleMs;
  };
}
