import { createProcesses } from '../../src/store/file/processes.ts';

/** Whether a process runs and is not a zombie. */
export function isRunning(pid: number): boolean {
  return createProcesses(process).isRunning(pid);
}
