/** Waits until its parent has ended, then kills the server in a folder and removes the folder. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, kill, platform, stdin } from 'node:process';

const [, , folder = ''] = argv;

// Ignore signals to the runner's whole group: this process must outlive the runner.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

stdin.resume();
stdin.on('error', end);
stdin.on('close', end);

async function end(): Promise<void> {
  const text = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  if (pid > 0) killServer(pid);
  // A server that is still starting may create files in between.
  await rm(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
  process.exit();
}

/** The server leads its own group. */
function killServer(pid: number): void {
  try {
    kill(platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
