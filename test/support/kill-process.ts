import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Kills a process and waits until it is gone, because a live process may write into a folder that is being removed. */
export async function killProcess(child: ChildProcess): Promise<void> {
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  const end = hasEnded ? null : once(child, 'exit');
  child.kill('SIGKILL');
  await end;
}
