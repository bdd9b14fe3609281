import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { builtCli } from '../support/built-cli.ts';
import { copyProgram } from '../support/home.ts';

/** Copies the built program for this test file. Returns the path of the copy. */
export async function ownProgram(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-program-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return await copyProgram(builtCli, folder);
}
