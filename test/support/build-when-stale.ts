import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { builtCli } from './built-cli.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the program before the first test that may need it, if it is missing or older than its sources. */
export async function setup(): Promise<void> {
  const newest = Math.max(
    ...(await Promise.all(['src', '.config'].map((name) => newestChange(join(root, name))))),
    (await stat(join(root, 'package.json'))).mtimeMs,
  );
  const built = await stat(builtCli).catch(() => null);
  if (built !== null && built.mtimeMs >= newest) return;
  await promisify(execFile)(process.execPath, [join(root, '.config', 'build.ts')]);
}

async function newestChange(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true });
  const changes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).mtimeMs));
  return Math.max(0, ...changes);
}
