import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProcesses } from '../../src/store/file/processes.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { bundledScript } from '../support/bundled-script.ts';
import { killProcess } from '../support/kill-process.ts';
import { realClock } from '../support/real-clock.ts';
import { addParcels, createStoreFolder, type StoreFolder, trackNos } from './store-folder.ts';

const script = bundledScript(fileURLToPath(new URL('./signalled-writer.ts', import.meta.url)));

let folder: StoreFolder;
let writer: ChildProcess | null = null;
beforeEach(async () => {
  folder = await createStoreFolder();
  await folder.open().update(addParcels(parcelOf('RB0CN')));
});
afterEach(async () => {
  if (writer !== null) await killProcess(writer);
  await folder.remove();
});

const processes = createProcesses(process);

function startWriter(signal: NodeJS.Signals): { readonly child: ChildProcess; readonly ended: Promise<number | null> } {
  const child = spawn(process.execPath, [script, folder.directory, 'RB1CN', signal], { stdio: ['ignore', 2, 2] });
  writer = child;
  return { child, ended: new Promise((resolve) => child.once('close', resolve)) };
}

/** Waits until the system reports that a process is suspended. */
async function waitUntilStopped(pid: number): Promise<void> {
  for (;;) {
    if ((await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') T ')) return;
    await delay(20);
  }
}

describe('a process that is interrupted while it has the lock', () => {
  it('leaves the old state if it is killed, and others continue immediately', async () => {
    await startWriter('SIGKILL').ended;
    expect(trackNos(await folder.open().read())).toEqual(['RB0CN']);
    const waits: number[] = [];
    const clock = {
      ...realClock,
      setTimer: (delayMs: number, callback: () => void) => {
        waits.push(delayMs);
        return realClock.setTimer(delayMs, callback);
      },
    };
    await folder.open({ processes, clock }).update(addParcels(parcelOf('RB2CN')));
    expect(waits).toEqual([]);
    expect(trackNos(await folder.open().read())).toEqual(['RB0CN', 'RB2CN']);
    expect((await readdir(folder.directory)).sort()).toEqual(['changes.jsonl', 'watchlist.json']);
  });

  it.skipIf(process.platform !== 'linux')(
    'does not block others for long if it is suspended, and overwrites nothing when it continues',
    async () => {
      const { child, ended } = startWriter('SIGSTOP');
      await waitUntilStopped(child.pid ?? 0);
      await folder.open({ processes }).update(addParcels(parcelOf('RB2CN')));
      expect(trackNos(await folder.open().read())).toEqual(['RB0CN', 'RB2CN']);
      child.kill('SIGCONT');
      expect(await ended).toBe(0);
      expect(trackNos(await folder.open().read())).toEqual(['RB0CN', 'RB2CN', 'RB1CN']);
      expect((await readdir(folder.directory)).sort()).toEqual(['changes.jsonl', 'watchlist.json']);
    },
  );
});
