import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { builtCli } from '../support/built-cli.ts';
import { copyProgram } from '../support/home.ts';

/** Path of the built program, in a copy that belongs to this test file. */
export async function ownProgram(): Promise<string> {
  const own = await mkdtemp(join(tmpdir(), 'parcel-monitor-program-'));
  afterAll(() => rm(own, { recursive: true, force: true }));
  return await copyProgram(builtCli, own);
}
