import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfigFile } from '../../src/commands/config-file.ts';
import { UsageError } from '../../src/commands/errors.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parcel-monitor-config-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

async function written(content: unknown, mode: number): Promise<string> {
  const path = join(directory, 'config.json');
  await writeFile(path, JSON.stringify(content));
  await chmod(path, mode);
  return path;
}

describe('reading config.json', () => {
  it('finds nothing set where there is no file', async () => {
    expect(await readConfigFile(join(directory, 'none.json'), false)).toEqual({
      settings: {},
      warnings: [],
      found: false,
    });
  });

  it('refuses a file that was asked for and is not there', async () => {
    await expect(readConfigFile(join(directory, 'none.json'), true)).rejects.toThrow(UsageError);
  });

  it('refuses a folder', async () => {
    await expect(readConfigFile(directory, false)).rejects.toThrow(/EISDIR/);
  });

  it.runIf(process.platform !== 'win32')('warns of a file with a key that others can read', async () => {
    const { warnings } = await readConfigFile(await written({ apiKey: 'k' }, 0o644), false);
    expect(warnings).toEqual([expect.stringContaining('chmod 600')]);
  });

  it('has nothing to say about a file of the user alone, or one without a key', async () => {
    expect((await readConfigFile(await written({ apiKey: 'k' }, 0o600), false)).warnings).toEqual([]);
    expect((await readConfigFile(await written({ zone: 'UTC' }, 0o644), false)).warnings).toEqual([]);
  });
});
