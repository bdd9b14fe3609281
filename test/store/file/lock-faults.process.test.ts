import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import {
  chmod,
  chown,
  lstat,
  lutimes,
  mkdir,
  readdir,
  readFile,
  rename,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomically } from '../../../src/store/file/atomic-write.ts';
import { LockLostError, withFileLock } from '../../../src/store/file/lock.ts';
import { inspectLock, placeLock, readLockOwner, removeAbandonedLock } from '../../../src/store/file/lock-folder.ts';
import { createFilePollLease } from '../../../src/store/shared-state.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { bundledScript } from '../../support/bundled-script.ts';
import { nobody, runAsNobody } from '../../support/faulty-disk.ts';
import { killProcess } from '../../support/kill-process.ts';
import { realClock } from '../../support/real-clock.ts';
import { addParcels, createStoreFolder, failureOf, type StoreFolder, trackNos } from '../store-folder.ts';

const isRoot = process.getuid?.() === 0;
let folder: StoreFolder;
let lockPath = '';
beforeEach(async () => {
  folder = await createStoreFolder();
  lockPath = `${folder.indexPath}.lock`;
  await mkdir(folder.directory);
});
const children = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of children) await killProcess(child);
  children.clear();
  await folder.remove();
});

/** Removes the existing lock. */
async function removeLock(): Promise<void> {
  const seen = inspectLock(lockPath);
  if (seen !== null) removeAbandonedLock(lockPath, readLockOwner(lockPath), seen, Math.random);
}

const yearsAhead = new Date(Date.now() + 3 * 365 * 86_400_000);

/** Things at a lock's path that never go away by themselves. */
const stuck: readonly (readonly [string, (lockPath: string) => Promise<unknown>])[] = [
  [
    'a lock without an owner file, dated in the future',
    async (lockPath) => {
      await mkdir(lockPath);
      await utimes(lockPath, yearsAhead, yearsAhead);
    },
  ],
  [
    'a lock with half an owner file, dated in the future',
    async (lockPath) => {
      await mkdir(lockPath);
      await writeFile(join(lockPath, 'owner.json'), '{"tok');
      await utimes(lockPath, yearsAhead, yearsAhead);
    },
  ],
  [
    'a lock held elsewhere, dated in the future',
    async (lockPath) => {
      await mkdir(lockPath);
      await writeFile(join(lockPath, 'owner.json'), '{"token":"a","pid":1,"scope":"elsewhere"}');
      await utimes(lockPath, yearsAhead, yearsAhead);
    },
  ],
  ['a link to nowhere', (lockPath) => symlink('/nowhere/at/all', lockPath)],
  [
    'a link to nowhere, dated in the future',
    async (lockPath) => {
      await symlink('/nowhere/at/all', lockPath);
      await lutimes(lockPath, yearsAhead, yearsAhead);
    },
  ],
  ['a link to a folder', (lockPath) => symlink('/', lockPath)],
];

// The store watches most of them for some seconds first, so the tests run in parallel.
it.concurrent.each(stuck)(
  "lets one process at a time take over %s at a lock's path",
  async (_name, make) => {
    const own = await createStoreFolder();
    try {
      await mkdir(own.directory);
      await make(`${own.indexPath}.lock`);
      const stores = Array.from({ length: 4 }, () => own.open());
      await Promise.all(stores.map((store, index) => store.update(addParcels(parcelOf(`RB${index}CN`)))));
      expect([...trackNos(await own.open().read())].sort()).toEqual(['RB0CN', 'RB1CN', 'RB2CN', 'RB3CN']);
      expect((await readdir(own.directory)).sort()).toEqual(['changes.jsonl', 'watchlist.json']);
    } finally {
      await own.remove();
    }
  },
  60_000,
);

describe('something other than a lock', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a file', () => writeFile(lockPath, 'mine')],
    [
      'a folder that is not empty',
      async () => {
        await mkdir(lockPath);
        await writeFile(join(lockPath, 'notes'), 'mine');
      },
    ],
  ])('is named in the error and left in place: %s', async (_name, make) => {
    await make();
    await utimes(lockPath, 1, 1);
    const error = await failureOf(folder.open().update(addParcels(parcelOf('RB1CN'))));
    expect(error).toMatchObject({
      kind: 'locked',
      message: expect.stringMatching(/\.lock is not a lock/),
    });
    const names = await readdir(folder.directory);
    expect(names).toEqual(['watchlist.json.lock']);
    const stats = await lstat(lockPath);
    const kept = stats.isFile() ? lockPath : join(lockPath, 'notes');
    expect(await readFile(kept, 'utf8')).toBe('mine');
  });

  it('is never removed, even if it replaces a lock that is being removed', async () => {
    await writeFile(lockPath, 'mine');
    await expect(removeLock()).rejects.toThrow(/is not a lock/);
    expect(await readFile(lockPath, 'utf8')).toBe('mine');
  });
});

describe('a process that is suspended while it takes a lock', () => {
  it('creates the lock and its owner file in one step', async () => {
    const seen = new Set<string>();
    const tryLock = (token: string): Promise<boolean> =>
      placeLock(lockPath, { token, pid: null, scope: null }, Math.random);
    for (let round = 0; round < 50; round += 1) {
      const attempts = Promise.all(['a', 'b', 'c'].map(tryLock));
      let isOver = false;
      void attempts.then(() => {
        isOver = true;
      });
      while (!isOver) {
        const names = await readdir(lockPath).catch(() => null);
        seen.add(names === null ? 'none' : names.join());
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect((await attempts).filter((isTaken) => isTaken)).toHaveLength(1);
      expect(['a', 'b', 'c']).toContain(readLockOwner(lockPath)?.token);
      await removeLock();
    }
    expect([...seen].filter((names) => names !== 'none' && names !== 'owner.json,passage')).toEqual([]);
    expect(await readdir(folder.directory)).toEqual([]);
  });

  it('writes nothing if the lock is taken over between the last check and the write', async () => {
    await writeFile(folder.indexPath, 'before');
    const context = { clock: realClock, random: Math.random, processes: null };
    const written = withFileLock(folder.indexPath, context, async (lock) => {
      await writeFileAtomically(folder.indexPath, 'ours', Math.random, {
        beforeRename: (temp) => {
          const moved = lock.moveIntoLock(temp);
          // Here this process is suspended, and another one takes over, writes and ends.
          renameSync(lockPath, `${lockPath}.aside`);
          writeFileSync(folder.indexPath, 'theirs');
          return moved;
        },
      });
    });
    await expect(written).rejects.toThrow(LockLostError);
    expect(await readFile(folder.indexPath, 'utf8')).toBe('theirs');
    expect(await readdir(folder.directory)).toEqual(['watchlist.json', 'watchlist.json.lock.aside']);
  });

  it('leaves its lock, and the new text inside it, to be cleaned up if it is killed', async () => {
    await mkdir(join(lockPath, 'passage'), { recursive: true });
    await writeFile(join(lockPath, 'owner.json'), JSON.stringify({ token: 'a', pid: 2 ** 22 + 1, scope: 'here' }));
    await writeFile(join(lockPath, 'passage', '.watchlist.json.0abc1def0abc1def.tmp'), 'half of it');
    const processes = { pid: process.pid, scope: () => 'here', isRunning: () => false };
    await folder.open({ processes }).update(addParcels(parcelOf('RB1CN')));
    expect((await readdir(folder.directory)).sort()).toEqual(['changes.jsonl', 'watchlist.json']);
  });

  it('tries again if it was wrongly considered dead', async () => {
    const store = folder.open();
    let removals = 0;
    // Acts as another process that removes an abandoned lock.
    const watch = setInterval(async () => {
      if (removals >= 3) return;
      const isMoved = await rename(lockPath, `${lockPath}.away-${removals}`).then(
        () => true,
        () => false,
      );
      if (isMoved) removals += 1;
    }, 0);
    try {
      for (let number = 0; number < 200 && removals < 3; number += 1) {
        await store.update(addParcels(parcelOf(`RB${number}CN`)));
        expect(trackNos(await folder.open().read())).toContain(`RB${number}CN`);
      }
    } finally {
      clearInterval(watch);
    }
    expect(removals).toBe(3);
  }, 30_000);

  it('neither fails nor loses its change, wherever it is suspended', async () => {
    const script = fileURLToPath(new URL('../signalled-writer.ts', import.meta.url));
    // The process's own signal has no effect. We suspend it at an arbitrary moment instead.
    const child = spawn(process.execPath, [script, folder.directory, 'RBSTOPPED1CN', 'SIGWINCH'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    children.add(child);
    let errorOutput = '';
    child.stderr.on('data', (piece) => {
      errorOutput += String(piece);
    });
    const ended = once(child, 'close');
    // Wait for the first sign of its lock, complete or still next to its final path.
    while ((await readdir(folder.directory)).length === 0) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGSTOP');
    await folder.open().update(addParcels(parcelOf('RBOTHER1CN')));
    child.kill('SIGCONT');
    expect(await ended).toEqual([0, null]);
    expect(errorOutput).toBe('');
    expect([...trackNos(await folder.open().read())].sort()).toEqual(['RBOTHER1CN', 'RBSTOPPED1CN']);
  }, 60_000);
});

it.each([
  ['forward', 40 * 86_400_000],
  ['back', -40 * 86_400_000],
])('waits for a lock as long as usual, even if the clock is set %s', async (_name, jumpMs) => {
  const { pid } = process;
  await mkdir(lockPath);
  await writeFile(join(lockPath, 'owner.json'), JSON.stringify({ token: 'a', pid: process.ppid, scope: 'here' }));
  let now = Date.now();
  let waits = 0;
  const clock = {
    now: () => now,
    setTimer: (_ms: number, callback: () => void) => {
      waits += 1;
      now += waits === 3 ? jumpMs : 500;
      // Its holder keeps renewing it.
      utimesSync(lockPath, Date.now() / 1000, Date.now() / 1000 + waits / 100);
      const immediate = setImmediate(callback);
      return () => clearImmediate(immediate);
    },
  };
  const processes = { pid, scope: () => 'here', isRunning: () => true };
  const error = await failureOf(folder.open({ clock, processes }).update(addParcels(parcelOf('RB1CN'))));
  expect(error.message).toMatch(/locked by another process \(process id \d+\) for 1[5-7] s/);
  expect(waits).toBeGreaterThan(20);
  expect(waits).toBeLessThan(60);
});

describe("root's lease", () => {
  // Must start before the lock counts as abandoned, even on a busy machine.
  const sharedState = bundledScript(fileURLToPath(new URL('../../../src/store/shared-state.ts', import.meta.url)));
  const leaseScript = (path: string): string => `
    import { createFilePollLease } from ${JSON.stringify(sharedState)};
    /*drop*/
    const setTimer = (ms, call) => { const timer = setTimeout(call, ms); return () => clearTimeout(timer); };
    const context = { clock: { now: () => Date.now(), setTimer }, random: Math.random, processes: null };
    const lease = createFilePollLease(${JSON.stringify(path)}, context);
    console.log(await lease.hold().then(String, (error) => error.message));
    process.exit(0);`;
  const grantAccessToNobody = async (): Promise<string> => {
    await chmod(join(folder.directory, '..'), 0o755);
    await chown(folder.directory, nobody, nobody);
    return join(folder.directory, 'polling-lease');
  };

  it('is respected by the user, who can read its owner', async ({ skip }) => {
    if (!isRoot) return skip('only root can become another user');
    const path = await grantAccessToNobody();
    const lease = createFilePollLease(path, { clock: realClock, random: Math.random, processes: null });
    expect(await lease.hold()).toBe(true);
    expect((await lstat(`${path}.lock`)).uid).toBe(nobody);
    expect((await lstat(join(`${path}.lock`, 'owner.json'))).uid).toBe(nobody);
    expect(await runAsNobody(leaseScript(path))).toBe('false\n');
    await lease.release();
    expect(await runAsNobody(leaseScript(path))).toBe('true\n');
  });

  it('is respected by the user even if it is unreadable, as older versions left it', async ({ skip }) => {
    if (!isRoot) return skip('only root can become another user');
    const path = await grantAccessToNobody();
    await mkdir(`${path}.lock`, { mode: 0o700 });
    await writeFile(join(`${path}.lock`, 'owner.json'), '{"token":"a"}', { mode: 0o600 });
    expect(await runAsNobody(leaseScript(path))).toBe('false\n');
    // It is taken over once it is abandoned, without having to be emptied.
    await utimes(`${path}.lock`, 1, 1);
    await delay(10);
    expect(await runAsNobody(leaseScript(path))).toBe('true\n');
  });
});
