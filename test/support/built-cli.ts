import { execFile } from 'node:child_process';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lock } from 'proper-lockfile';

const root = fileURLToPath(new URL('../..', import.meta.url));
const builtPath = join(root, 'dist', 'cli.js');

/**
 * Path of the built program. It is built first when it is missing or older than its sources; test files that run at
 * the same time wait for one another.
 */
export async function builtCli(): Promise<string> {
  const workshop = join(root, 'node_modules', '.cache', 'parcel-monitor');
  await mkdir(workshop, { recursive: true });
  const release = await lock(workshop, { retries: { retries: 240, minTimeout: 250, maxTimeout: 250 }, stale: 60_000 });
  try {
    const newest = Math.max(
      ...(await Promise.all(['src', '.config'].map((name) => newestChange(join(root, name))))),
      (await stat(join(root, 'package.json'))).mtimeMs,
    );
    const built = await stat(builtPath).catch(() => null);
    if (built === null || built.mtimeMs < newest) {
      await promisify(execFile)(process.execPath, [join(root, '.config', 'build.ts')]);
    }
  } finally {
    await release();
  }
  return builtPath;
}

async function newestChange(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true });
  const changes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).mtimeMs));
  return Math.max(0, ...changes);
}
