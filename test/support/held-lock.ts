import { utimesSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createProcesses } from '../../src/store/file/processes.ts';

/** Shorter than the time after which a lock counts as abandoned. */
const refreshMs = 500;

/** Takes a file's lock as a different process would, and returns a function that releases it. */
export async function holdLock(path: string): Promise<() => Promise<void>> {
  const lockPath = `${path}.lock`;
  await mkdir(lockPath, { recursive: true });
  const processes = createProcesses(process);
  const owner = { token: 'test', pid: processes.pid, scope: processes.scope() };
  await writeFile(join(lockPath, 'owner.json'), JSON.stringify(owner));
  const timer = setInterval(() => utimesSync(lockPath, new Date(), new Date()), refreshMs);
  return async () => {
    clearInterval(timer);
    // In one step, as the program does: a waiting process may take over a folder without an owner.
    const released = `${lockPath}.released`;
    await rename(lockPath, released).catch(() => undefined);
    await rm(released, { recursive: true, force: true });
  };
}
