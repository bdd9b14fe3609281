import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EpochMs } from '../../../src/lib/clock.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { addParcels, createStoreFolder, type StoreFolder } from '../../store/store-folder.ts';
import { bundledScript } from '../../support/bundled-script.ts';

const script = bundledScript(fileURLToPath(new URL('../polling-process.ts', import.meta.url)));

/** Longer than a busy machine may suspend a process. */
const staleMs = 4_000;

let folder: StoreFolder;
const started: PollingProcess[] = [];
beforeEach(async () => {
  folder = await createStoreFolder();
  const parcels = ['RB1CN', 'RB2CN', 'RB3CN', 'RB4CN', 'RB5CN'].map((trackNo) =>
    parcelOf(trackNo, { registration: 'registered', nextPollAt: '2026-01-01T00:00:00.000Z' }),
  );
  await folder.open().update(addParcels(...parcels));
});
afterEach(async () => {
  for (const { process: child, closed } of started.splice(0)) {
    child.kill('SIGKILL');
    await closed;
  }
  await folder.remove();
});

interface PollingProcess {
  readonly process: ChildProcess;
  /** Resolves when the process is gone. */
  readonly closed: Promise<unknown>;
  /** Waits for the process to print this next. */
  waitFor(line: string): Promise<void>;
  /** The start of each call. */
  calls(): Promise<readonly EpochMs[]>;
}

async function startPollingProcess(staleAfterMs = staleMs): Promise<PollingProcess> {
  const child = spawn(process.execPath, [script, folder.directory, String(staleAfterMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const polling: PollingProcess = {
    process: child,
    closed: new Promise((resolve) => child.once('close', resolve)),
    async waitFor(line) {
      expect((await output.next()).value).toBe(line);
    },
    calls: async () => (await allCalls()).filter(([pid]) => pid === child.pid).map(([, beganAt]) => beganAt),
  };
  started.push(polling);
  return polling;
}

/** Reads the sender and start of each call, as written. */
async function allCalls(): Promise<readonly (readonly [pid: number, beganAt: EpochMs])[]> {
  const text = await readFile(join(folder.directory, 'calls'), 'utf8').catch(() => '');
  // Skips a partly written line.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [pid, beganAt] = line.split(' ');
      return [Number(pid), Number(beganAt)];
    });
}

async function waitForCalls(polling: PollingProcess, count: number): Promise<void> {
  const target = (await polling.calls()).length + count;
  while ((await polling.calls()).length < target) await delay(5);
}

describe('several processes', () => {
  it('poll one at a time, and another takes over when the polling process is killed', async () => {
    // Longer than the test, so that a lease cannot become stale.
    const first = await startPollingProcess(10 * 60_000);
    await first.waitFor('polls');
    const second = await startPollingProcess(10 * 60_000);
    await second.waitFor('follows');
    await waitForCalls(first, 20);
    expect(await second.calls()).toEqual([]);
    first.process.kill('SIGKILL');
    await second.waitFor('polls');
    await waitForCalls(second, 20);
  });

  it('poll one at a time, even if one is suspended during a call and another takes over', async () => {
    let poller = await startPollingProcess();
    await poller.waitFor('polls');
    let follower = await startPollingProcess();
    await follower.waitFor('follows');
    for (let round = 0; round < 3; round += 1) {
      await waitForCalls(poller, 3 + round);
      poller.process.kill('SIGSTOP');
      await follower.waitFor('polls');
      const wokenAt = Date.now();
      poller.process.kill('SIGCONT');
      await poller.waitFor('follows');
      await waitForCalls(follower, 10);
      // A call that started before the suspension may still be sent afterwards.
      expect((await poller.calls()).filter((beganAt) => beganAt >= wokenAt)).toEqual([]);
      [poller, follower] = [follower, poller];
    }
  });
});
