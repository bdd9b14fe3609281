import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileStore } from '../../../src/store/file/file-store.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { checkpointOf } from '../../support/records.ts';
import { addParcels, createStoreFolder, failureOf, type StoreFolder, trackNos } from '../store-folder.ts';

let folder: StoreFolder;
let directory = '';
let indexPath = '';

beforeEach(async () => {
  folder = await createStoreFolder();
  ({ directory, indexPath } = folder);
});
afterEach(() => folder.remove());

const openStore = (): FileStore => folder.open();
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
const put = async (path: string, text: string): Promise<void> => {
  await mkdir(directory, { recursive: true });
  await writeFile(path, text);
};
/** Starts a process that adds one parcel after another. */
function spawnWriter(count: number): ChildProcess {
  const module = new URL('../../../src/store/file/file-store.ts', import.meta.url).href;
  const script = `
    import { createFileStore } from ${JSON.stringify(module)};
    import { parcelOf } from ${JSON.stringify(new URL('../../parcels/parcels.ts', import.meta.url).href)};
    const setTimer = (ms, call) => { const timer = setTimeout(call, ms); return () => clearTimeout(timer); };
    const clock = { now: () => Date.now(), setTimer };
    const store = createFileStore({ directory: ${JSON.stringify(directory)}, clock, random: Math.random });
    for (let index = 0; index < ${count}; index += 1) {
      const parcel = parcelOf('CHILD' + index);
      await store.update((current) => ({ ...current, parcels: [...current.parcels, parcel] }));
    }`;
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  return spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: [...stdio] });
}

describe('the file store', () => {
  it('is empty before the first write, and creates no file when it is read', async () => {
    expect((await openStore().read()).parcels).toEqual([]);
    await expect(stat(indexPath)).rejects.toThrow('ENOENT');
  });

  it('keeps what was written, readable only by the user', async () => {
    const store = openStore();
    const parcel = parcelOf('RB1CN', {
      label: 'Lampe 深圳',
      lastEvent: checkpointOf('Arrived', '2026-11-19T08:00:00Z'),
    });
    await store.update(addParcels(parcel));
    await store.updateHistory(parcel.id, (history) => ({ ...history, checkpoints: [checkpointOf('Arrived', null)] }));
    expect((await openStore().read()).parcels).toEqual([{ ...parcel, changedAt: expect.any(String) }]);
    expect((await openStore().readHistory(parcel.id)).checkpoints).toEqual([checkpointOf('Arrived', null)]);
    expect(await modeOf(directory)).toBe('700');
    expect(await modeOf(join(directory, 'history'))).toBe('700');
    expect(await modeOf(indexPath)).toBe('600');
    expect(await modeOf(join(directory, 'history', `${parcel.id}.json`))).toBe('600');
    expect((await readdir(directory)).sort()).toEqual(['changes.jsonl', 'history', 'watchlist.json']);
  });

  it('makes a file private if other users could read it', async () => {
    await put(indexPath, '{"version":1,"parcels":[]}');
    await chmod(indexPath, 0o644);
    await openStore().update(addParcels(parcelOf('RB1CN')));
    expect(await modeOf(indexPath)).toBe('600');
  });

  it('writes nothing if a change has no effect', async () => {
    const store = openStore();
    await store.update(addParcels(parcelOf('RB1CN')));
    const before = await stat(indexPath);
    await store.update((current) => current);
    expect((await stat(indexPath)).ino).toBe(before.ino);
  });

  it("loses none of another process's changes", async () => {
    const child = spawnWriter(30);
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const store = openStore();
    for (let index = 0; index < 30; index += 1) await store.update(addParcels(parcelOf(`OWN${index}`)));
    expect(await ended).toBe(0);
    expect((await store.read()).parcels).toHaveLength(60);
  });

  it('stays complete and usable when a process is killed during a write', async () => {
    const child = spawnWriter(100_000);
    const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
    const store = openStore();
    while ((await store.read()).parcels.length < 20) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGKILL');
    await ended;
    const surviving = (await store.read()).parcels;
    await store.update(addParcels(parcelOf('RB1CN')));
    expect((await openStore().read()).parcels).toHaveLength(surviving.length + 1);
    expect(store.takeNotices()).toEqual([]);
  });

  it('keeps unknown fields', async () => {
    const { id, trackNo } = parcelOf('RB1CN');
    const entry = { id, trackNo, colour: 'red', extras: { postalCode: '1', gate: 7 }, record: { trackNo, volume: 3 } };
    await put(indexPath, JSON.stringify({ version: 1, theme: { dark: true }, parcels: [entry] }));
    await openStore().update(addParcels(parcelOf('RB2CN')));
    const kept: unknown = JSON.parse(await readFile(indexPath, 'utf8'));
    expect(kept).toMatchObject({ theme: { dark: true }, parcels: [entry, { trackNo: 'RB2CN' }] });
  });

  it('reads a file from an older version with fewer fields', async () => {
    await put(indexPath, '{"parcels":[{"id":"a","trackNo":"RB1CN"}]}');
    const [parcel] = (await openStore().read()).parcels;
    expect(parcel).toMatchObject({ registration: 'pending', label: null, tags: [], extras: { postalCode: null } });
  });

  it('writes through a symbolic link to its target', async () => {
    const target = join(dirname(directory), 'elsewhere.json');
    await writeFile(target, '{"version":1,"parcels":[]}');
    await mkdir(directory, { recursive: true });
    await symlink(target, indexPath);
    await openStore().update(addParcels(parcelOf('RB1CN')));
    expect(JSON.parse(await readFile(target, 'utf8'))).toMatchObject({ parcels: [{ trackNo: 'RB1CN' }] });
    expect(await readFile(indexPath, 'utf8')).toBe(await readFile(target, 'utf8'));
    await rm(target);
    await openStore().update(addParcels(parcelOf('RB2CN')));
    expect(trackNos(await openStore().read())).toEqual(['RB2CN']);
    expect((await stat(target)).isFile()).toBe(true);
  });

  it('removes old temp files of killed processes, and only those', async () => {
    await put(join(directory, '.watchlist.json.0abc1def0abc1def.tmp'), '{');
    await put(join(directory, '.watchlist.json.0abc1dff0abc1dff.tmp'), '{');
    await put(join(directory, 'notes.tmp'), 'mine');
    const old = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(directory, '.watchlist.json.0abc1def0abc1def.tmp'), old, old);
    await utimes(join(directory, 'notes.tmp'), old, old);
    await openStore().update(addParcels(parcelOf('RB1CN')));
    expect((await readdir(directory)).sort()).toEqual([
      '.watchlist.json.0abc1dff0abc1dff.tmp',
      'changes.jsonl',
      'notes.tmp',
      'watchlist.json',
    ]);
  });

  it('remembers the end of the log even after the file of an empty list is removed', async () => {
    const store = openStore();
    const known = await store.read();
    const parcel = parcelOf('RB1CN');
    await store.write([{ id: parcel.id, parcel }], known, 0);
    await store.write([{ id: parcel.id, parcel: null }], await store.read(), 0);
    await rm(indexPath);
    expect((await store.read()).changeSeq).toBe(2);
  });
});

describe('the file store with a damaged file', () => {
  it.each([
    ['cut off', '{"version":1,"parcels":[{"id":"a","tr'],
    ['empty', ''],
    ['of the wrong shape', '[]'],
    ['missing its parcels', '{"version":1}'],
    ['of an unusable version', '{"version":"one","parcels":[]}'],
    ['filled with null bytes', '\0\0\0\0'],
  ])('moves a file that is %s aside, and never overwrites it', async (_name, text) => {
    await put(indexPath, text);
    const store = openStore();
    expect((await store.read()).parcels).toEqual([]);
    const [aside, ...others] = (await readdir(directory)).filter((name) => name.includes('.damaged-'));
    expect(others).toEqual([]);
    expect(aside).toMatch(/^watchlist\.json\.damaged-\d{8}T\d{6}Z$/);
    expect(await readFile(join(directory, aside ?? ''), 'utf8')).toBe(text);
    const [notice, ...more] = store.takeNotices();
    expect(more).toEqual([]);
    expect(notice).toContain(indexPath);
    expect(notice).toContain(aside);
    expect(store.takeNotices()).toEqual([]);
    await store.update(addParcels(parcelOf('RB1CN')));
    expect(trackNos(await store.read())).toEqual(['RB1CN']);
  });

  it('keeps several files that were damaged in the same second', async () => {
    const clock = createFakeClock();
    const store = folder.open({ clock });
    for (const text of ['first', 'second', 'third']) {
      await put(indexPath, text);
      await store.read();
    }
    const copies = (await readdir(directory)).filter((name) => name.includes('.damaged-')).sort();
    expect(await Promise.all(copies.map((name) => readFile(join(directory, name), 'utf8')))).toEqual([
      'first',
      'second',
      'third',
    ]);
  });

  it('accepts a file with a byte order mark', async () => {
    await put(indexPath, '\uFEFF{"version":1,"parcels":[{"id":"a","trackNo":"RB1CN"}]}');
    const store = openStore();
    expect(trackNos(await store.read())).toEqual(['RB1CN']);
    expect(store.takeNotices()).toEqual([]);
  });

  it('keeps the good entries of a file with bad ones, and copies it aside', async () => {
    const text = JSON.stringify({
      version: 1,
      parcels: [
        { id: 'a', trackNo: 'RB1CN' },
        { id: 'b' },
        'rubbish',
        { id: '../../etc', trackNo: 'RB3CN' },
        { id: 'a', trackNo: 'RB4CN' },
        { id: 'e', trackNo: 'RB5CN', label: 7, addedAt: 'yesterday' },
      ],
    });
    await put(indexPath, text);
    const store = openStore();
    const { parcels } = await store.read();
    expect(parcels.map(({ trackNo, label }) => [trackNo, label])).toEqual([
      ['RB1CN', null],
      ['RB5CN', null],
    ]);
    const copies = (await readdir(directory)).filter((name) => name.includes('.damaged-'));
    expect(copies).toHaveLength(1);
    expect(await readFile(join(directory, copies[0] ?? ''), 'utf8')).toBe(text);
    expect(await modeOf(join(directory, copies[0] ?? ''))).toBe('600');
    expect(store.takeNotices()[0]).toMatch(/4 of 6 entries are unusable, 1 of 6 entries have unusable fields/);
    await openStore().read();
    expect((await readdir(directory)).filter((name) => name.includes('.damaged-'))).toHaveLength(1);
  });

  it('refuses a file from a newer version, and leaves it untouched', async () => {
    const text = '{"version":2,"parcels":{"a":{}}}';
    await put(indexPath, text);
    for (const work of [openStore().read(), openStore().update(addParcels(parcelOf('RB1CN')))]) {
      expect(await failureOf(work)).toMatchObject({
        kind: 'newer-version',
        message: expect.stringMatching(/newer version.*Update parcel-monitor/),
      });
    }
    expect(await readFile(indexPath, 'utf8')).toBe(text);
    expect((await readdir(directory)).sort()).toEqual(['watchlist.json']);
  });

  it('loses only the history in a damaged history file', async () => {
    const path = join(directory, 'history', 'rb1.json');
    await mkdir(join(directory, 'history'), { recursive: true });
    await writeFile(path, '{"checkpoints":[{"at":5}]}');
    const store = openStore();
    expect((await store.readHistory('rb1')).checkpoints).toEqual([]);
    expect(store.takeNotices()[0]).toContain(path);
  });
});

describe('the file store with a path that cannot be used', () => {
  it('reports a folder where the file should be', async () => {
    await mkdir(indexPath, { recursive: true });
    const error = await failureOf(openStore().read());
    expect(error).toMatchObject({ kind: 'failed', path: indexPath });
    expect(error.message).toMatch(/is a folder, not a file/);
  });

  it('says what to do about a folder that cannot be created', async () => {
    await writeFile(directory, 'a file');
    expect((await failureOf(openStore().update(addParcels(parcelOf('RB1CN'))))).message).toMatch(
      /Move it somewhere else/,
    );
  });

  it('takes over the lock of a dead process, and waits for that of a live one', async () => {
    await mkdir(`${indexPath}.lock`, { recursive: true });
    const old = new Date(Date.now() - 60_000);
    await utimes(`${indexPath}.lock`, old, old);
    await openStore().update(addParcels(parcelOf('RB1CN')));

    await mkdir(`${indexPath}.lock`);
    await writeFile(join(`${indexPath}.lock`, 'owner.json'), '{"token":"other"}');
    const write = openStore().update(addParcels(parcelOf('RB2CN')));
    await rm(`${indexPath}.lock`, { recursive: true });
    expect(trackNos(await write)).toEqual(['RB1CN', 'RB2CN']);
  });

  it('reports a lock that is not released in time', async () => {
    await mkdir(`${indexPath}.lock`, { recursive: true });
    await writeFile(join(`${indexPath}.lock`, 'owner.json'), '{"token":"other"}');
    // A fast clock: each wait seems to take ten seconds.
    let now = Date.now();
    const clock = {
      now: () => now,
      setTimer: (_ms: number, callback: () => void) => {
        now += 10_000;
        const immediate = setImmediate(callback);
        return () => clearImmediate(immediate);
      },
    };
    const store = folder.open({ clock });
    const error = await failureOf(store.update(addParcels(parcelOf('RB1CN'))));
    expect(error.kind).toBe('locked');
    expect(error.message).toContain(`${indexPath}.lock`);
  });
});
