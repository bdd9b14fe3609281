import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { builtCli } from '../support/built-cli.ts';

/**
 * Path of the built program, in a copy that belongs to this test file: a board loads parts of the program while it
 * runs, and a build that takes the place of `dist/` meanwhile would pull them away.
 */
export async function ownProgram(): Promise<string> {
  const built = dirname(builtCli);
  const own = await mkdtemp(join(tmpdir(), 'parcel-monitor-program-'));
  afterAll(() => rm(own, { recursive: true, force: true }));
  await cp(built, join(own, 'dist'), { recursive: true });
  await writeFile(join(own, 'package.json'), '{"type":"module"}');
  return join(own, 'dist', 'cli.js');
}
