import { type ChildProcess, spawn } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreError } from '../../src/lib/store-errors.ts';
import type { LockContext } from '../../src/store/file/lock.ts';
import { createProcesses } from '../../src/store/file/processes.ts';
import { createFilePollLease, type PollLease } from '../../src/store/shared-state.ts';
import { bundledScript } from '../support/bundled-script.ts';
import { killProcess } from '../support/kill-process.ts';
import { realClock } from '../support/real-clock.ts';

const script = bundledScript(fileURLToPath(new URL('lease-holder.ts', import.meta.url)));

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-'));
  path = join(folder, 'state', 'poll');
});
const holders = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of holders) await killProcess(child);
  holders.clear();
  await rm(folder, { recursive: true, force: true });
});

const context: LockContext = { clock: realClock, random: Math.random, processes: createProcesses(process) };
const open = (stale?: number, changes: Partial<LockContext> = {}): PollLease =>
  createFilePollLease(path, { ...context, ...changes }, stale);

/** How long a lease may stay unrenewed: short, but longer than a busy machine may pause a process. */
const staleMs = 4_000;

interface Holder {
  readonly process: ChildProcess;
  /** Waits for the process to print this next. */
  waitFor(line: string): Promise<void>;
}

/** Starts another process that wants the lease. */
async function startHolder(staleAfterMs = staleMs): Promise<Holder> {
  const child = spawn(process.execPath, [script, path, String(staleAfterMs)], { stdio: ['ignore', 'pipe', 'inherit'] });
  holders.add(child);
  const output = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    async waitFor(line) {
      expect((await output.next()).value).toBe(line);
    },
  };
}

async function waitUntilHeld(lease: PollLease): Promise<void> {
  while (!(await lease.hold())) await delay(50);
}

describe('the poll lease', () => {
  it('is renewed while its holder lives, and taken over when it is killed', async () => {
    const holder = await startHolder();
    await holder.waitFor('holds');
    const lease = open(staleMs);
    const until = Date.now() + 2 * staleMs;
    while (Date.now() < until) {
      expect(await lease.hold()).toBe(false);
      await delay(100);
    }
    holder.process.kill('SIGKILL');
    await waitUntilHeld(lease);
    await lease.release();
  });

  it('is renewed without waking another thread', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const lease = open(staleMs);
      await lease.hold();
      const old = new Date(Date.now() - 60_000);
      await utimes(`${path}.lock`, old, old);
      vi.advanceTimersByTime(staleMs / 2);
      expect(lstatSync(`${path}.lock`).mtimeMs).toBeGreaterThan(Date.now() - 30_000);
      expect(await readdir(join(folder, 'state'))).toEqual(['poll.lock']);
      await lease.release();
    } finally {
      vi.useRealTimers();
    }
  });

  it('is taken over while its holder is suspended, and the holder follows after it wakes', async () => {
    const holder = await startHolder();
    await holder.waitFor('holds');
    holder.process.kill('SIGSTOP');
    const lease = open(staleMs);
    await waitUntilHeld(lease);
    holder.process.kill('SIGCONT');
    await holder.waitFor('follows');
    expect(await lease.hold()).toBe(true);
    await lease.release();
    await holder.waitFor('holds');
  });

  it('is taken over immediately when its holder is killed, even right after a renewal', async () => {
    const holder = await startHolder();
    await holder.waitFor('holds');
    const lease = open();
    expect(await lease.hold()).toBe(false);
    const killed = new Promise((resolve) => holder.process.once('close', resolve));
    holder.process.kill('SIGKILL');
    await killed;
    expect(await lease.hold()).toBe(true);
    await lease.release();
  });

  it('is reported as lost as soon as its holder wakes', async () => {
    const lease = open(staleMs);
    expect(await lease.hold()).toBe(true);
    const holder = await startHolder();
    await holder.waitFor('follows');
    expect(lease.isHeld()).toBe(true);
    // What the other process does while this one is suspended.
    await rename(`${path}.lock`, `${path}.taken`);
    await holder.waitFor('holds');
    expect(lease.isHeld()).toBe(false);
    expect(await lease.hold()).toBe(false);
    await lease.release();
    expect(await lease.hold()).toBe(false);
  });

  it('is taken over from a dead holder elsewhere, even after the clock was set back by years', async () => {
    await mkdir(`${path}.lock`, { recursive: true });
    await writeFile(join(`${path}.lock`, 'owner.json'), '{"token":"a","pid":1,"scope":"elsewhere"}');
    const ahead = new Date(Date.now() + 3 * 365 * 86_400_000);
    await utimes(`${path}.lock`, ahead, ahead);
    const lease = open(staleMs);
    expect(await lease.hold()).toBe(false);
    await waitUntilHeld(lease);
    await lease.release();
  });

  it('is not taken over by a process whose clock was set back', async () => {
    // Longer than a busy machine may delay a renewal. The clock is set back by much more.
    const longMs = 60_000;
    const holder = await startHolder(longMs);
    await holder.waitFor('holds');
    let behindMs = 0;
    const lease = open(longMs, { clock: { ...realClock, now: () => Date.now() - behindMs } });
    for (let attempt = 0; attempt < 30; attempt += 1) {
      expect(await lease.hold()).toBe(false);
      behindMs += 2 * longMs;
    }
  });

  it('can be requested many times simultaneously without being lost', async () => {
    const lease = open();
    expect(await Promise.all(Array.from({ length: 10 }, () => lease.hold()))).toEqual(Array(10).fill(true));
    await lease.release();
  });

  it('reports that it cannot be saved', async () => {
    await writeFile(join(folder, 'state'), 'a file where the folder should be');
    await expect(open().hold()).rejects.toThrow(StoreError);
  });
});
