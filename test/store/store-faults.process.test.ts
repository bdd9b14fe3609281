import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Watchlist } from '../../src/parcels/parcel-list.ts';
import type { Processes } from '../../src/store/file/processes.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { mountSmallDisk, nobody, runAsNobody, type SmallDisk, setImmutable } from '../support/faulty-disk.ts';
import { addParcels, createStoreFolder, failureOf, removeParcels, type StoreFolder, trackNos } from './store-folder.ts';

const isRoot = process.getuid?.() === 0;
let folder: StoreFolder;
beforeEach(async () => {
  folder = await createStoreFolder();
});
afterEach(() => folder.remove());

const indexText = (): Promise<string> => readFile(folder.indexPath, 'utf8');

describe('the file store on a disk that refuses writes', () => {
  let disk: SmallDisk | null = null;
  let onDisk: StoreFolder | null = null;
  beforeEach(async () => {
    disk = await mountSmallDisk();
    onDisk = disk === null ? null : await createStoreFolder(disk.path);
  });
  afterEach(() => disk?.remove());

  it('reports a full disk, leaves the file intact, and saves the change once there is space', async ({ skip }) => {
    if (disk === null || onDisk === null) return skip('no disk can be mounted here');
    const store = onDisk.open();
    await store.update(addParcels(parcelOf('RB1CN')));
    const before = await readFile(onDisk.indexPath, 'utf8');
    await disk.fill();
    const error = await failureOf(store.update(addParcels(parcelOf('RB2CN'))));
    expect(error).toMatchObject({
      kind: 'disk-full',
      message: expect.stringMatching(/No space left.*Free some space/),
    });
    expect(await readFile(onDisk.indexPath, 'utf8')).toBe(before);
    expect((await readdir(onDisk.directory)).sort()).toEqual(['changes.jsonl', 'watchlist.json']);
    expect(trackNos(await onDisk.open().read())).toEqual(['RB1CN']);
    await disk.free();
    await store.update(addParcels(parcelOf('RB2CN')));
    expect(trackNos(await onDisk.open().read())).toEqual(['RB1CN', 'RB2CN']);
  });

  it('does not remove a parcel if the disk is full', async ({ skip }) => {
    if (disk === null || onDisk === null) return skip('no disk can be mounted here');
    const store = onDisk.open();
    await store.update(addParcels(parcelOf('RB1CN')));
    await disk.fill();
    expect((await failureOf(store.update(removeParcels('rb1cn')))).kind).toBe('disk-full');
    expect(trackNos(await onDisk.open().read())).toEqual(['RB1CN']);
  });

  it('reports a read-only disk, and can still be read', async ({ skip }) => {
    if (disk === null || onDisk === null) return skip('no disk can be mounted here');
    const store = onDisk.open();
    await store.update(addParcels(parcelOf('RB1CN')));
    await disk.protect(true);
    const error = await failureOf(store.update(addParcels(parcelOf('RB2CN'))));
    expect(error).toMatchObject({ kind: 'read-only', message: expect.stringContaining('Make it writable') });
    expect(trackNos(await onDisk.open().read())).toEqual(['RB1CN']);
    await disk.protect(false);
    await store.update(addParcels(parcelOf('RB2CN')));
    expect(trackNos(await onDisk.open().read())).toEqual(['RB1CN', 'RB2CN']);
  });

  it('reports a damaged file and the good backup on a read-only disk', async ({ skip }) => {
    if (disk === null || onDisk === null) return skip('no disk can be mounted here');
    await onDisk.put('watchlist.json', '{"version":1,"parc');
    const backup = '{"version":1,"parcels":[{"id":"a","trackNo":"RB1CN"}]}';
    await onDisk.put('backups/watchlist-2026-11-18.json', backup);
    await disk.protect(true);
    const { kind, message } = await failureOf(onDisk.open().read());
    expect(kind).toBe('damaged');
    expect(message).toMatch(/watchlist\.json is damaged \(.*\), and could not be moved aside\. .*read-only/);
    expect(message).toMatch(/most recent usable backup is .*watchlist-2026-11-18\.json \(1 parcel\)/);
  });

  it('shows the good part of a damaged file on a read-only disk', async ({ skip }) => {
    if (disk === null || onDisk === null) return skip('no disk can be mounted here');
    await onDisk.put('watchlist.json', '{"version":1,"parcels":[{"id":"a","trackNo":"RB1CN"},{}]}');
    await disk.protect(true);
    const store = onDisk.open();
    expect(trackNos(await store.read())).toEqual(['RB1CN']);
    expect(store.takeNotices()[0]).toMatch(/partly damaged.*it could not be copied.*read-only/);
  });
});

describe('the file store with a file that it may not touch', () => {
  it('leaves an immutable file unchanged', async ({ skip }) => {
    const store = folder.open();
    await store.update(addParcels(parcelOf('RB1CN')));
    if (!(await setImmutable(folder.indexPath, true))) return skip('no file can be made immutable here');
    try {
      expect((await failureOf(store.update(addParcels(parcelOf('RB2CN'))))).kind).toBe('no-permission');
      expect(trackNos(await folder.open().read())).toEqual(['RB1CN']);
      expect((await readdir(folder.directory)).filter((name) => !name.includes('.lock')).sort()).toEqual([
        'changes.jsonl',
        'watchlist.json',
      ]);
    } finally {
      await setImmutable(folder.indexPath, false);
    }
    await store.update(addParcels(parcelOf('RB2CN')));
    expect(trackNos(await folder.open().read())).toEqual(['RB1CN', 'RB2CN']);
  });

  it('loses no change because of a temp file that cannot be removed', async ({ skip }) => {
    await folder.open().update(addParcels(parcelOf('RB1CN')));
    const leftOver = join(folder.directory, '.watchlist.json.0abc1def0abc1def.tmp');
    await writeFile(leftOver, 'half of it');
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    await utimes(leftOver, longAgo, longAgo);
    if (!(await setImmutable(leftOver, true))) return skip('no file can be made immutable here');
    try {
      await folder.open().update(addParcels(parcelOf('RB2CN')));
    } finally {
      await setImmutable(leftOver, false);
    }
    expect(trackNos(await folder.open().read())).toEqual(['RB1CN', 'RB2CN']);
    expect(await readFile(leftOver, 'utf8')).toBe('half of it');
  });

  const clientScript = (): string => {
    const module = new URL('../../src/store/file/file-store.ts', import.meta.url).href;
    return `
      import { createFileStore } from ${JSON.stringify(module)};
      import { parcelOf } from ${JSON.stringify(new URL('../parcels/parcels.ts', import.meta.url).href)};
      /*drop*/
      const setTimer = (ms, call) => { const timer = setTimeout(call, ms); return () => clearTimeout(timer); };
      const clock = { now: () => Date.now(), setTimer };
      const store = createFileStore({ directory: ${JSON.stringify(folder.directory)}, clock, random: Math.random });
      const outcomeOf = async (work) => await work.then((done) => done.parcels.length, (error) => error.kind + ': ' + error.message);
      const parcel = parcelOf('RB2CN');
      const read = await outcomeOf(store.read());
      const written = await outcomeOf(store.update((now) => ({ ...now, parcels: [...now.parcels, parcel] })));
      console.log(JSON.stringify({ read, written }));`;
  };
  const grantAccessToNobody = async (): Promise<void> => {
    await chmod(join(folder.directory, '..'), 0o755);
    await chmod(folder.directory, 0o755);
  };

  it("reads another user's file if it may, but neither writes it nor changes its owner", async ({ skip }) => {
    if (!isRoot) return skip('only root can become another user');
    await folder.open().update(addParcels(parcelOf('RB1CN')));
    await grantAccessToNobody();
    await chown(folder.directory, nobody, nobody);
    await chmod(folder.indexPath, 0o644);
    const before = await indexText();
    const { read, written } = JSON.parse(await runAsNobody(clientScript()));
    expect(read).toBe(1);
    expect(written).toMatch(/^no-permission: .*belongs to another user \(user id 0\).*sudo chown/);
    expect(await indexText()).toBe(before);
    expect((await stat(folder.indexPath)).uid).toBe(0);
  });

  it("reports a file in another user's folder", async ({ skip }) => {
    if (!isRoot) return skip('only root can become another user');
    await folder.open().update(addParcels(parcelOf('RB1CN')));
    await chmod(join(folder.directory, '..'), 0o755);
    const before = await indexText();
    const { read, written } = JSON.parse(await runAsNobody(clientScript()));
    for (const outcome of [read, written])
      expect(outcome).toMatch(/^no-permission: Permission denied: .*Check the owner/);
    expect(await indexText()).toBe(before);
  });

  it('keeps the owner of a file that root changes, so that the user is not locked out', async ({ skip }) => {
    if (!isRoot) return skip('only root can become another user');
    await folder.open().update(addParcels(parcelOf('RB1CN')));
    await grantAccessToNobody();
    for (const path of [folder.directory, folder.indexPath]) await chown(path, nobody, nobody);
    await folder.open().update(addParcels(parcelOf('RB2CN')));
    expect((await stat(folder.indexPath)).uid).toBe(nobody);
    expect(JSON.parse(await runAsNobody(clientScript()))).toEqual({ read: 2, written: 3 });
  });

  it('leaves a file from a newer version alone, even if it appears while the program runs', async () => {
    const store = folder.open();
    await store.update(addParcels(parcelOf('RB1CN')));
    const text = '{"version":2,"parcels":{"a":{}}}';
    const known = await store.read();
    await folder.put('watchlist.json', text);
    for (const work of [store.newer(known), store.read(), store.update(addParcels(parcelOf('RB2CN')))]) {
      expect((await failureOf(work)).kind).toBe('newer-version');
    }
    expect(await indexText()).toBe(text);
  });
});

describe('a store that changes while the program runs', () => {
  it('is written again from memory when its folder is removed', async () => {
    const store = folder.open();
    await store.update(addParcels(parcelOf('RB1CN'), parcelOf('RB2CN')));
    const known = await store.read();
    await rm(folder.directory, { recursive: true });
    expect(trackNos(await store.read())).toEqual(['RB1CN', 'RB2CN']);
    expect(store.takeNotices()).toMatchObject([expect.stringContaining(folder.indexPath)]);
    expect(await store.newer(known)).toBeNull();
    await store.read();
    expect(store.takeNotices()).toEqual([]);
    await store.update(addParcels(parcelOf('RB3CN')));
    expect(trackNos(await folder.open().read())).toEqual(['RB1CN', 'RB2CN', 'RB3CN']);
  });

  it('is written again from memory when its file is damaged, and the damaged file is moved aside', async () => {
    const store = folder.open();
    await store.update(addParcels(parcelOf('RB1CN')));
    await folder.put('watchlist.json', 'rubbish');
    expect(trackNos(await store.read())).toEqual(['RB1CN']);
    expect(trackNos(await folder.open().read())).toEqual(['RB1CN']);
    expect(store.takeNotices()[0]).toMatch(/was damaged.*moved to .*damaged-.*A new file was written/);
  });

  it('uses the existing file when the folder returns', async () => {
    const store = folder.open();
    await store.update(addParcels(parcelOf('RB1CN')));
    await rename(folder.directory, `${folder.directory}-away`);
    const known = await store.read();
    await rename(`${folder.directory}-away`, folder.directory);
    await folder.open().update(addParcels(parcelOf('RB2CN')));
    expect((await store.newer(known))?.parcels).toMatchObject([{ trackNo: 'RB1CN' }, { trackNo: 'RB2CN' }]);
    await store.update(addParcels(parcelOf('RB3CN')));
    expect(trackNos(await store.read())).toEqual(['RB1CN', 'RB2CN', 'RB3CN']);
  });

  it('works through a linked folder', async () => {
    const real = `${folder.directory}-real`;
    await mkdir(real);
    await symlink(real, folder.directory);
    const store = folder.open();
    await store.update(addParcels(parcelOf('RB1CN')));
    await store.updateHistory('rb1cn', (history) => ({ ...history, received: { trackNo: 'RB1CN' } }));
    await store.update(removeParcels('rb1cn'));
    expect((await readdir(real)).sort()).toEqual(['changes.jsonl', 'history', 'trash', 'watchlist.json']);
    expect((await stat(join(real, 'trash', 'rb1cn.json'))).isFile()).toBe(true);
  });
});

describe('an editor without a lock', () => {
  const withLabel = (label: string): string =>
    JSON.stringify({ version: 1, parcels: [{ id: 'a', trackNo: 'RB1CN', label }] });

  it('loses nothing if it writes between our read and our write', async () => {
    await folder.put('watchlist.json', withLabel('before'));
    let calls = 0;
    await folder.open().update((current) => {
      calls += 1;
      if (calls === 1) writeFileSync(folder.indexPath, withLabel('edited'));
      return addParcels(parcelOf('RB2CN'))(current);
    });
    expect(calls).toBe(2);
    const { parcels } = await folder.open().read();
    expect(parcels.map(({ trackNo, label }) => [trackNo, label])).toEqual([
      ['RB1CN', 'edited'],
      ['RB2CN', null],
    ]);
  });

  it('loses nothing if it writes right after us, before our change is on disk', async () => {
    const store = folder.open();
    await store.update(addParcels(parcelOf('RB1CN')));
    const written = store.update(addParcels(parcelOf('RB2CN')));
    // Replaces our file right after we have written it.
    const edited = withLabel('edited');
    while (!readFileSync(folder.indexPath, 'utf8').includes('RB2CN'))
      await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(`${folder.indexPath}.edited`, edited);
    renameSync(`${folder.indexPath}.edited`, folder.indexPath);
    const { parcels } = await written;
    expect((await store.read()).parcels).not.toEqual(parcels);
    await store.update(addParcels(parcelOf('RB3CN')));
    expect((await store.read()).parcels.map(({ trackNo, label }) => [trackNo, label])).toEqual([
      ['RB1CN', 'edited'],
      ['RB3CN', null],
    ]);
  });

  it('is reported eventually if it never stops writing', async () => {
    await folder.put('watchlist.json', withLabel('before'));
    let calls = 0;
    const error = await failureOf(
      folder.open().update((current): Watchlist => {
        calls += 1;
        writeFileSync(folder.indexPath, withLabel(`edit ${calls}`));
        return { ...current };
      }),
    );
    expect(error.message).toMatch(/Another program keeps changing/);
    expect(await indexText()).toBe(withLabel(`edit ${calls}`));
  });

  it('is not mistaken for damage while it writes in place', async () => {
    await folder.put('watchlist.json', withLabel('before'));
    let pauses = 0;
    // The editor completes the file during the first pause.
    const clock = {
      now: Date.now,
      setTimer(_ms: number, callback: () => void) {
        pauses += 1;
        writeFileSync(folder.indexPath, withLabel('after'));
        const immediate = setImmediate(callback);
        return () => clearImmediate(immediate);
      },
    };
    const store = folder.open({ clock });
    await store.read();
    await writeFile(folder.indexPath, withLabel('after').slice(0, 20));
    expect((await store.read()).parcels[0]?.label).toBe('after');
    expect(pauses).toBe(1);
    expect(store.takeNotices()).toEqual([]);
  });
});

describe('a lock', () => {
  const lockPath = (): string => `${folder.indexPath}.lock`;
  const own: Processes = {
    pid: process.pid,
    scope: () => 'here',
    isRunning: (pid) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    },
  };
  const placeLockAs = (pid: number, scope: string): void => {
    mkdirSync(lockPath(), { recursive: true });
    writeFileSync(join(lockPath(), 'owner.json'), JSON.stringify({ token: `${pid}`, pid, scope }));
  };
  /** Creates a clock on which each wait seems to take ten seconds. */
  const createSkippingClock = () => {
    let now = Date.now();
    return {
      now: () => now,
      setTimer: (_ms: number, callback: () => void) => {
        now += 10_000;
        const immediate = setImmediate(callback);
        return () => clearImmediate(immediate);
      },
    };
  };
  const deadPid = async (): Promise<number> => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await new Promise((resolve) => child.on('close', resolve));
    return child.pid ?? 0;
  };

  it.each<[string, () => Promise<number>, string, RegExp]>([
    ['a running process', async () => process.ppid, 'here', /locked by another process \(process id \d+\) for \d+ s/],
    ['a process on another machine', deadPid, 'there', /another process on another machine \(process id \d+\)/],
  ])('is not taken over from %s, and the message names the process', async (_name, pidOf, scope, message) => {
    const pid = await pidOf();
    placeLockAs(pid, scope);
    const error = await failureOf(
      folder.open({ processes: own, clock: createSkippingClock() }).update(addParcels(parcelOf('RB1CN'))),
    );
    expect(error.kind).toBe('locked');
    expect(error.message).toMatch(message);
    expect(error.message).toContain(`${pid}`);
    expect(JSON.parse(await readFile(join(lockPath(), 'owner.json'), 'utf8'))).toMatchObject({ pid });
  });

  it('makes us start over if it was taken from us while we were suspended', async () => {
    let calls = 0;
    const added = folder.open({ processes: own }).update((current) => {
      calls += 1;
      if (calls === 1) {
        rmSync(lockPath(), { recursive: true });
        placeLockAs(process.ppid, 'here');
        writeFileSync(folder.indexPath, '{"version":1,"parcels":[{"id":"a","trackNo":"RB1CN"}]}');
        setTimeout(() => rmSync(lockPath(), { recursive: true }), 50);
      }
      return addParcels(parcelOf('RB2CN'))(current);
    });
    expect(trackNos(await added)).toEqual(['RB1CN', 'RB2CN']);
    expect(calls).toBe(2);
  });

  it('is gone after each change', async () => {
    const store = folder.open({ processes: own });
    await store.update(addParcels(parcelOf('RB1CN')));
    await failureOf(
      store.update(() => {
        throw new Error('a change that fails');
      }),
    );
    expect((await readdir(folder.directory)).sort()).toEqual(['changes.jsonl', 'watchlist.json']);
  });

  it('is taken over immediately from a killed process', async () => {
    placeLockAs(await deadPid(), 'here');
    const clock = createSkippingClock();
    const startedAt = clock.now();
    await folder.open({ processes: own, clock }).update(addParcels(parcelOf('RB1CN')));
    // Nothing waited: each wait takes ten seconds on this clock.
    expect(clock.now()).toBe(startedAt);
    expect((await readdir(folder.directory)).sort()).toEqual(['changes.jsonl', 'watchlist.json']);
  });
});
