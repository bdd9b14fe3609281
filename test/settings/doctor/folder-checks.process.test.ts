import { chmod, chown, mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { programPaths } from '../../../src/settings/config-file.ts';
import { checkFolders, probeFolder, trialPath } from '../../../src/settings/doctor/store-checks.ts';
import type { CommandContext } from '../../../src/settings/session/context.ts';
import { mountSmallDisk, nobody, runAsNobody } from '../../support/faulty-disk.ts';
import { realClock } from '../../support/real-clock.ts';
import { createTestFolder } from '../../support/test-folder.ts';

const isRoot = process.getuid?.() === 0;
let home = '';
beforeEach(async () => {
  home = await createTestFolder();
});

const pathsIn = (homeDirectory: string) => programPaths({ environment: {}, homeDirectory, platform: 'linux' });

/** Runs the checks as this user. */
async function check(userId: number, homeDirectory = home) {
  const context = { clock: realClock, random: Math.random, platform: 'linux', userId } as unknown as CommandContext;
  return await checkFolders(context, pathsIn(homeDirectory));
}

describe("doctor's folder checks", () => {
  it('cover all folders, existing or not', async () => {
    const checks = await check(process.getuid?.() ?? 0);
    expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    const { data, state } = pathsIn(home);
    for (const folder of [data, `${data}/history`, `${data}/trash`, `${data}/backups`, state, `${home}/.cache`]) {
      expect(checks.map(({ found }) => found)).toContainEqual(expect.stringContaining(folder));
    }
    expect(await readdir(home)).toEqual([]);
  });

  it('report files that sudo left to root once, with the command that fixes them', async ({ skip }) => {
    if (!isRoot) return skip('only root can change the owner of files');
    const { data } = pathsIn(home);
    await mkdir(join(data, 'trash'), { recursive: true });
    for (const path of ['', '.local', '.local/share', '.local/share/parcel-monitor']) {
      await chown(join(home, path), nobody, nobody);
    }
    const trashFinding = {
      status: 'warn',
      advice: `Take back ownership: sudo chown -R ${nobody}:${nobody} ${data}/trash`,
    };
    expect((await check(nobody)).filter(({ name }) => name === 'owner')).toMatchObject([trashFinding]);
    await writeFile(join(data, 'watchlist.json'), '');
    expect((await check(nobody)).filter(({ name }) => name === 'owner')).toHaveLength(2);
    await chown(join(home, '.local'), 0, 0);
    await chown(join(home, '.local', 'share'), 0, 0);
    await chown(data, 0, 0);
    const all = (await check(nobody)).filter(({ name }) => name === 'owner');
    expect(all).toMatchObject([{ advice: expect.stringMatching(/sudo chown -R \S+ \S+\/\.local$/) }]);
  });

  it("say how to take back a folder in the user's home that belongs to another user", async ({ skip }) => {
    if (!isRoot) return skip('only root can change the owner of files');
    const cache = join(home, '.cache');
    await mkdir(cache, { mode: 0o700 });
    await chown(home, nobody, nobody);
    await chown(cache, 4_711, 4_711);
    const source = new URL('../../../src/', import.meta.url);
    const output = await runAsNobody(`
      import { checkFolders } from ${JSON.stringify(new URL('settings/doctor/store-checks.ts', source).href)};
      import { programPaths } from ${JSON.stringify(new URL('settings/config-file.ts', source).href)};
      const paths = programPaths({ environment: {}, homeDirectory: ${JSON.stringify(home)}, platform: 'linux' });
      await import(${JSON.stringify(new URL('store/file/damaged-files.ts', source).href)});
      /*drop*/
      const context = { clock: { now: () => Date.now() }, random: Math.random, platform: 'linux', userId: ${nobody} };
      console.log(JSON.stringify(await checkFolders(context, paths)));`);
    const failed = (JSON.parse(output) as Awaited<ReturnType<typeof checkFolders>>).filter(
      ({ status }) => status === 'fail',
    );
    expect(failed).toMatchObject([
      {
        found: `${cache}/parcel-monitor cannot be written: permission denied (EACCES)`,
        advice: `It belongs to another user (user id 4711). If it is meant to be yours, change its owner. Run: sudo chown -R ${nobody} ${cache}`,
      },
    ]);
  });

  it("report another user's files, but ignore link targets", async ({ skip }) => {
    if (!isRoot) return skip('only root can change the owner of files');
    const { data } = pathsIn(home);
    await mkdir(data, { recursive: true });
    await writeFile(join(data, 'watchlist.json'), '');
    await chown(join(data, 'watchlist.json'), nobody, nobody);
    await symlink('/nowhere', join(data, 'history'));
    const found = (await check(4_711)).filter(({ name }) => name === 'owner');
    expect(found).toMatchObject([{ advice: expect.stringMatching(/sudo chown -R 4711 \S+watchlist\.json/) }]);
    expect((await check(0)).filter(({ name }) => name === 'owner')).toMatchObject([{ status: 'ok' }]);
  });

  it('name the folder on a read-only disk', async ({ skip }) => {
    const disk = await mountSmallDisk();
    if (disk === null) return skip('no disk can be mounted here');
    try {
      const { data } = pathsIn(home);
      await mkdir(data, { recursive: true });
      await symlink(disk.path, join(data, 'trash'));
      await disk.protect(true);
      const failed = (await check(0)).filter(({ status }) => status === 'fail');
      expect(failed).toMatchObject([
        {
          name: 'folder',
          found: expect.stringMatching(/trash cannot be written: its file system is read-only \(EROFS\)/),
        },
      ]);
    } finally {
      await disk.remove();
    }
  });

  it("leave other programs' files in the folders alone", async () => {
    const { data } = pathsIn(home);
    await mkdir(join(data, '.x.y.tmp', 'precious'), { recursive: true });
    await writeFile(join(data, '.parcel-monitor-trial.mine.tmp'), '');
    await chmod(data, 0o700);
    await check(0);
    expect((await readdir(data)).sort()).toEqual(['.parcel-monitor-trial.mine.tmp', '.x.y.tmp']);
  });
});

const context = { clock: realClock, random: Math.random };
const hourMs = 60 * 60_000;

let folder: string;
beforeEach(async () => {
  folder = await createTestFolder();
});

/** Creates a file that looks like that of a write test killed this long ago. */
async function createFile(name: string, ageMs: number): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, 'trial');
  const then = new Date(Date.now() - ageMs);
  await utimes(path, then, then);
  return name;
}

const trialName = (): string => basename(trialPath(folder, Math.random));

describe('a write test in a folder', () => {
  it('leaves nothing behind', async () => {
    await probeFolder(folder, context);
    expect(await readdir(folder)).toEqual([]);
  });

  it("throws the operating system's error", async () => {
    await expect(probeFolder(join(folder, 'none'), context)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('removes files left by killed tests, but none from running tests or other programs', async () => {
    await createFile(trialName(), 2 * hourMs);
    const kept = [
      await createFile(trialName(), hourMs / 2),
      await createFile('.others.0abc1def0abc1def.tmp', 2 * hourMs),
      await createFile('notes', 2 * hourMs),
    ];
    await probeFolder(folder, context);
    expect((await readdir(folder)).toSorted()).toEqual(kept.toSorted());
  });

  it('never removes a folder', async () => {
    const name = trialName();
    await mkdir(join(folder, name));
    await utimes(join(folder, name), 0, 0);
    await probeFolder(folder, context);
    expect(await readdir(folder)).toEqual([name]);
  });
});
