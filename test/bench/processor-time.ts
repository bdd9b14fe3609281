import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * For how long a process and its threads have been on a processor so far, user and system, in milliseconds; null where the
 * system does not tell it so exactly, as outside of Linux.
 */
export function processorMs(processId: number): number | null {
  try {
    const tasks = join('/proc', String(processId), 'task');
    const nanoseconds = readdirSync(tasks).map((task) =>
      Number(readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ', 1)[0]),
    );
    return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
  } catch {
    return null;
  }
}
