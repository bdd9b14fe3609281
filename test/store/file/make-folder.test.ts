import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemCode } from '../../../src/lib/store-errors.ts';
import { makeFolder } from '../../../src/store/file/folders.ts';
import { createCliUser } from '../../support/cli-user.ts';
import { createTestFolder } from '../../support/test-folder.ts';

let folder = '';
beforeEach(async () => {
  folder = await createTestFolder();
});

/** No folder can be created here: the file system reports that there is no such file. */
const impossibleHome = '/proc/none';
const hasProc = await stat('/proc/self').then(
  () => true,
  () => false,
);

const codeOf = (work: Promise<void>): Promise<string | null> => work.then(() => null, systemCode);

describe('creating a folder', () => {
  it('creates missing parents, accessible only to the user, and accepts an existing folder', async () => {
    const path = join(folder, 'a', 'b', 'c');
    await makeFolder(path);
    await makeFolder(path);
    for (const name of ['a', 'a/b', 'a/b/c']) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o700);
  });

  it('can run many times simultaneously', async () => {
    const path = join(folder, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 20 }, () => makeFolder(path)));
    expect(await readdir(join(folder, 'a', 'b'))).toEqual(['c']);
  });

  it('accepts a link to a folder', async () => {
    await mkdir(join(folder, 'real'));
    await symlink(join(folder, 'real'), join(folder, 'link'));
    await makeFolder(join(folder, 'link', 'a'));
    expect(await readdir(join(folder, 'real'))).toEqual(['a']);
  });

  it('fails on a file or a broken link', async () => {
    await writeFile(join(folder, 'file'), '');
    await symlink(join(folder, 'nowhere'), join(folder, 'link'));
    expect(await codeOf(makeFolder(join(folder, 'file')))).toBe('ENOTDIR');
    expect(await codeOf(makeFolder(join(folder, 'file', 'a')))).toBe('ENOTDIR');
    expect(await codeOf(makeFolder(join(folder, 'link')))).toBe('ENOENT');
    expect(await codeOf(makeFolder(join(folder, 'link', 'a')))).toBe('ENOENT');
  });

  it.skipIf(!hasProc)('gives up if the file system always reports ENOENT', async () => {
    expect(await codeOf(makeFolder(join(impossibleHome, 'a', 'b')))).toBe('ENOENT');
  });
});

describe.skipIf(!hasProc)('a home in which no folder can be created', () => {
  it.each([
    [['add', 'RB123456789CN'], 1, /watchlist\.json.*cannot be created.*Set HOME \(or XDG_DATA_HOME/s],
    [['list'], 0, /No parcels yet/],
    [['watch', '--once'], 0, /^$/],
    [['doctor', '--offline'], 1, /^$/],
  ] as const)('is handled gracefully by %j', async (commandLine, exitCode, message) => {
    const user = await createCliUser();
    try {
      const result = await user.run(commandLine, {
        environment: {
          HOME: impossibleHome,
          PARCEL_MONITOR_API_KEY: 'secret',
          PARCEL_MONITOR_BASE_URL: 'http://127.0.0.1:9',
        },
      });
      expect(result.stderr).toMatch(message);
      expect(result.exitCode).toBe(exitCode);
    } finally {
      await user.remove();
    }
  });
});
