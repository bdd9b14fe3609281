import { mkdirSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { chmod, chown, lchown, lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { shellWord } from '../../../src/lib/paths.ts';
import { systemCode, toStoreError } from '../../../src/lib/store-errors.ts';
import { createFileStore } from '../../../src/store/file/file-store.ts';
import { giveToOwner, makeFolder } from '../../../src/store/file/folders.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { nobody, runAsNobody } from '../../support/faulty-disk.ts';
import { realClock } from '../../support/real-clock.ts';
import { rounds } from '../../support/rounds.ts';
import { createTestFolder } from '../../support/test-folder.ts';
import { addParcels, removeParcels } from '../store-folder.ts';

const isRoot = process.getuid?.() === 0;

/** The home of the unprivileged user. */
let home = '';
beforeEach(async () => {
  home = await createTestFolder();
  if (isRoot) await chown(home, nobody, nobody);
});

/** Returns all paths below a folder, with their owners. */
async function owners(path: string): Promise<readonly (readonly [string, number])[]> {
  const names = await readdir(path, { recursive: true });
  return await Promise.all(names.map(async (name) => [name, (await lstat(join(path, name))).uid] as const));
}

const openStore = (uid: number | null = null) => {
  const processes = { pid: process.pid, scope: () => 'here', isRunning: () => true, uid };
  return createFileStore({ directory: join(home, 'data', 'x'), clock: realClock, random: Math.random, processes });
};

/** Returns a script that performs the user's actions in the same store, and prints the result of each. */
const userScript = (): string => {
  const module = (name: string): string => JSON.stringify(new URL(`../../../src/${name}.ts`, import.meta.url).href);
  return `
    import { createFileStore } from ${module('store/file/file-store')};
    await Promise.all([import(${module('store/file/json-document')}), import(${module('parcels/parcel')}), import(${module('store/file/lock')})]);
    /*drop*/
    const setTimer = (ms, call) => { const timer = setTimeout(call, ms); return () => clearTimeout(timer); };
    const clock = { now: () => Date.now(), setTimer };
    const store = createFileStore({ directory: ${JSON.stringify(join(home, 'data', 'x'))}, clock, random: Math.random });
    const outcomeOf = async (work) => await work.then(() => 'done', (error) => error.kind + ': ' + error.message);
    const [first] = (await store.read().catch(() => ({ parcels: [] }))).parcels;
    console.log(JSON.stringify([
      await outcomeOf(store.update((now) => ({ ...now, parcels: now.parcels.slice(1) }))),
      first === undefined ? 'nothing there' : await outcomeOf(store.recovery.restoreParcel(first.id)),
    ]));`;
};

describe("files that root creates in a user's home", () => {
  it('belong to the user, who can use all of them', async ({ skip }) => {
    if (!isRoot) return skip('only root can become another user');
    const store = openStore();
    await store.update(addParcels(parcelOf('RB1CN'), parcelOf('RB2CN')));
    await store.updateHistory('rb1cn', (history) => ({ ...history, received: { trackNo: 'RB1CN' } }));
    await store.update(removeParcels('rb1cn'));
    const files = await owners(home);
    expect(files.map(([name]) => name)).toContain('data/x/trash/rb1cn.json');
    expect(files.filter(([, uid]) => uid !== nobody)).toEqual([]);
    expect(JSON.parse(await runAsNobody(userScript()))).toEqual(['done', 'done']);
  });

  it("are not given away if the folder is root's", async ({ skip }) => {
    if (!isRoot) return skip('only root can become another user');
    await chown(home, 0, 0);
    await makeFolder(join(home, 'a', 'b'));
    expect((await owners(home)).filter(([, uid]) => uid !== 0)).toEqual([]);
  });
});

describe("root's files after a run with sudo", () => {
  it.runIf(isRoot).each([
    ['the trash', 'data/x/trash'],
    ['the folder of all watchlists', 'data'],
    ['the watchlist', 'data/x/watchlist.json'],
  ])('cause an error that names %s and the command that fixes it', async (_name, name) => {
    await openStore().update(addParcels(parcelOf('RB1CN')));
    const path = join(home, name);
    if (name.endsWith('trash')) await mkdir(path, { mode: 0o700 });
    await chown(path, 0, 0);
    if (name === 'data') await chmod(path, 0o700);
    const [removed] = JSON.parse(await runAsNobody(userScript()));
    expect(removed).toMatch(/^no-permission: /);
    expect(removed).toMatch(/belongs to root, probably because of an earlier sudo run/);
    expect(removed).not.toMatch(/denied: \S+removed\./);
    expect(removed).toContain(`take it back with "sudo chown -R ${nobody}:${nobody} ${path}".`);
  });

  it('cause an error that names the folder, not the temp file that failed in it', () => {
    const name = (code: string, path: string): string =>
      toStoreError(Object.assign(new Error(code), { code, path }), '/d/watchlist.json').message;
    expect(name('EACCES', '/d/trash/.removed.x.json.0abc1def0abc1def.tmp')).toMatch(/^Permission denied: \/d\/trash\./);
    expect(name('EACCES', '/d/watchlist.json.lock')).toMatch(/^Permission denied: \/d\./);
    expect(name('EACCES', '/d/.watchlist.json.lock.0abc1def0abc1def.tmp/owner.json')).toMatch(/denied: \/d\./);
    expect(shellWord("/home/a b/it's")).toBe("'/home/a b/it'\\''s'");
    expect(shellWord('/home/a/.local')).toBe('/home/a/.local');
  });
});

it('gives only the folder that root created to the user, even if its path now points elsewhere', async ({ skip }) => {
  if (!isRoot) return skip('only root can become another user');
  const [data, system] = [join(home, 'data'), join(home, 'system')];
  await mkdir(join(system, 'x'), { recursive: true });
  for (let attempt = 0; attempt < rounds(200); attempt += 1) {
    await makeFolder(data);
    mkdirSync(join(data, 'x'));
    const handover = giveToOwner(join(data, 'x')).catch(systemCode);
    // What the user could do in between, as the owner of the parent folder.
    renameSync(data, `${data}-${attempt}`);
    symlinkSync(system, data);
    await handover;
    unlinkSync(data);
    expect((await lstat(join(system, 'x'))).uid).toBe(0);
  }
});

it("follows our own link in a world-writable folder, but not another user's", async ({ skip }) => {
  if (!isRoot) return skip('only root can become another user');
  const [data, target] = [join(home, 'data', 'x'), join(home, 'mine.txt')];
  await makeFolder(data);
  await chown(data, 0, 0);
  await chmod(data, 0o777);
  await writeFile(target, 'precious');
  const link = join(data, 'watchlist.json');
  await symlink(target, link);
  await lchown(link, nobody, nobody);
  const error: unknown = await openStore(0)
    .update(addParcels(parcelOf('RB1CN')))
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    kind: 'no-permission',
    message: expect.stringMatching(/another user.*not followed.*chmod o-w/),
  });
  expect(await readdir(home)).toEqual(['data', 'mine.txt']);
  await lchown(link, 0, 0);
  await writeFile(target, '{"version":1,"parcels":[]}');
  await openStore(0).update(addParcels(parcelOf('RB1CN')));
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
});
