import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeOutputFile } from '../../src/commands/output-file.ts';
import { programPaths } from '../../src/settings/config-file.ts';
import { OutputError } from '../../src/system/standard-streams.ts';
import { createTestFolder } from '../support/test-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await createTestFolder();
});

const paths = programPaths({ environment: {}, homeDirectory: '/home/nobody', platform: 'linux' });
const write = (name: string, text = 'new\n') =>
  writeOutputFile(join(folder, name), text, { context: { random: Math.random }, paths });
const read = (name: string) => readFile(join(folder, name), 'utf8');

/** Expects the message, and that nothing was changed or left behind. */
async function expectRefusal(name: string, message: RegExp): Promise<void> {
  const before = await readdir(folder, { recursive: true });
  const error: unknown = await write(name).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OutputError);
  expect(String(error)).toMatch(message);
  expect(await readdir(folder, { recursive: true })).toEqual(before);
}

describe('an output file', () => {
  it('is readable only by the user', async () => {
    await write('parcels.json');
    expect(await read('parcels.json')).toBe('new\n');
    expect((await stat(join(folder, 'parcels.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['parcels.json']);
  });

  it('is replaced rather than overwritten, so a program that has it open keeps the old content', async () => {
    await writeFile(join(folder, 'parcels.json'), 'old\n', { mode: 0o644 });
    await link(join(folder, 'parcels.json'), join(folder, 'old.json'));
    await write('parcels.json');
    expect([await read('parcels.json'), await read('old.json')]).toEqual(['new\n', 'old\n']);
    expect((await stat(join(folder, 'parcels.json'))).mode & 0o777).toBe(0o600);
  });

  it('may be a link, whose target is replaced', async () => {
    await mkdir(join(folder, 'sync'));
    await writeFile(join(folder, 'sync', 'parcels.json'), 'old\n');
    await symlink('sync/parcels.json', join(folder, 'parcels.json'));
    await symlink('sync/later.json', join(folder, 'later.json'));
    await write('parcels.json');
    await write('later.json');
    expect(await readlink(join(folder, 'parcels.json'))).toBe('sync/parcels.json');
    expect([await read('sync/parcels.json'), await read('sync/later.json')]).toEqual(['new\n', 'new\n']);
  });

  it('requires an existing folder', async () => {
    await expectRefusal('missing/parcels.json', /There is no folder .*missing\. Create it/);
    await symlink('missing/parcels.json', join(folder, 'dangling'));
    await expectRefusal('dangling', /There is no folder .*missing\./);
  });

  it('cannot be a folder', async () => {
    await mkdir(join(folder, 'exports'));
    await expectRefusal('exports', /exports is a folder\. Add the name of a file/);
    await expectRefusal('new-exports/', /is a folder/);
  });

  it('cannot be inside a file or a link to itself', async () => {
    await writeFile(join(folder, 'file'), 'old\n');
    await expectRefusal('file/parcels.json', /its folder is a file/);
    await symlink('loop', join(folder, 'loop'));
    await expectRefusal('loop', /points back to itself/);
  });

  it('cannot have a name that is too long for the temporary file', async () => {
    await expectRefusal('x'.repeat(250), /too long\..* Nothing was written/);
  });

  it.skipIf(process.platform === 'win32')('is never a device, a pipe or a link to one', async () => {
    await symlink('/dev/null', join(folder, 'null'));
    await expectRefusal('null', /not a regular file .* with > instead/);
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expectRefusal('pipe', /not a regular file/);
  });

  it.skipIf(process.getuid?.() === 0)('is unchanged if it is read-only (except for root)', async () => {
    await writeFile(join(folder, 'parcels.json'), 'old\n', { mode: 0o400 });
    await expectRefusal('parcels.json', /You do not have permission to write/);
    await chmod(folder, 0o500);
    await expectRefusal('other.json', /You do not have permission to write/);
    await chmod(folder, 0o700);
  });
});
