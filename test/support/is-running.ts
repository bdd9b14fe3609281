import { createProcesses } from '../../src/store/file/processes.ts';

/** Whether a process runs, and is not merely waiting for somebody to ask how it ended. */
export function isRunning(pid: number): boolean {
  return createProcesses(process).isRunning(pid);
}
