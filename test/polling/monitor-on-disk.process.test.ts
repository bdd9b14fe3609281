import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CallGate } from '../../src/polling/gate/call-gate.ts';
import { createMonitor, type Monitor } from '../../src/polling/monitor.ts';
import {
  createFileDocument,
  createFilePollLease,
  type PollingMemory,
  readPollingMemory,
} from '../../src/store/shared-state.ts';
import { createUsageMeter, readSavedUsage } from '../../src/store/usage-meter.ts';
import { createStoreFolder, failureOf, type StoreFolder, trackNos } from '../store/store-folder.ts';
import { eventually } from '../support/eventually.ts';
import { mountSmallDisk, type SmallDisk } from '../support/faulty-disk.ts';
import { realClock } from '../support/real-clock.ts';
import { draftOf } from './harness.ts';

let disk: SmallDisk | null;
let folder: StoreFolder;
let monitor: Monitor;
beforeEach(async () => {
  disk = await mountSmallDisk();
  folder = await createStoreFolder(disk?.path);
  monitor = createMonitor({
    store: folder.open(),
    service: null,
    clock: realClock,
    random: Math.random,
    gate: new CallGate({
      clock: realClock,
      random: Math.random,
      policy: { followMs: 20, writeRetryFirstMs: 20, writeRetryMaxMs: 50 },
    }),
  });
  await monitor.load();
  monitor.start();
});
afterEach(async () => {
  await monitor.stop();
  await folder.remove();
  await disk?.remove();
});

const onDisk = async (): Promise<readonly string[]> => trackNos(await folder.open().read());
const onBoard = (): readonly string[] => trackNos(monitor.getState());

describe('a board', () => {
  it('continues in memory while the disk is full, and writes everything when there is space', async ({ skip }) => {
    if (disk === null) return skip('no disk can be mounted here');
    await monitor.add(draftOf('RB1CN'));
    await disk.fill();
    await failureOf(monitor.add(draftOf('RB2CN')));
    await failureOf(monitor.add(draftOf('RB3CN')));
    await failureOf(monitor.archiveAll([monitor.getState().parcels[0]?.id ?? '']));
    expect(onBoard()).toEqual(['RB1CN', 'RB2CN', 'RB3CN']);
    expect(monitor.getState().parcels[0]?.archivedAt).not.toBeNull();
    expect(monitor.getState().polling.problem?.message).toMatch(/^Unsaved changes.*No space left/);
    expect(await onDisk()).toEqual(['RB1CN']);
    await disk.free();
    await eventually(async () => expect(await onDisk()).toEqual(['RB1CN', 'RB2CN', 'RB3CN']));
    expect((await folder.open().read()).parcels[0]?.archivedAt).not.toBeNull();
    await eventually(() => expect(monitor.getState().polling.problem).toBeNull());
  });

  it('continues in memory if its folder is removed, and writes everything with the next change', async () => {
    await monitor.add(draftOf('RB1CN'));
    await rm(folder.directory, { recursive: true, maxRetries: 5 });
    await eventually(() => expect(monitor.getState().notices).toEqual([expect.stringMatching(/no longer exists/)]));
    expect(onBoard()).toEqual(['RB1CN']);
    await monitor.add(draftOf('RB2CN'));
    expect(await onDisk()).toEqual(['RB1CN', 'RB2CN']);
  });

  it('reports an edit to the file once, as every other board does, but logs it only once', async () => {
    const gate = new CallGate({ clock: realClock, random: Math.random, policy: { followMs: 20 } });
    const store = folder.open();
    const other = createMonitor({ store, service: null, clock: realClock, random: Math.random, gate });
    onTestFinished(() => other.stop());
    await monitor.add(draftOf('RB1CN'));
    await other.load();
    other.start();
    const printed = [monitor, other].map((board) => {
      const lines: string[] = [];
      board.onChanges((changes) => void lines.push(...changes.map(({ change, seq }) => `${seq} ${change}`)));
      return lines;
    });
    const document = JSON.parse(await readFile(folder.indexPath, 'utf8'));
    const [parcel] = document.parcels;
    const archived = { ...parcel, archivedAt: '2026-06-04T08:00:00.000Z' };
    // Atomically, as an editor would.
    const saved = await folder.put('saved-by-an-editor', JSON.stringify({ ...document, parcels: [archived] }));
    await rename(saved, folder.indexPath);
    await eventually(() => expect(printed).toEqual([['2 archived'], ['2 archived']]));
    await monitor.add(draftOf('RB2CN'));
    await eventually(() => expect(printed).toEqual(Array(2).fill(['2 archived', '3 added'])));
    expect((await folder.open().changeLogAfter(0)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('leaves a file from a newer version unchanged, reports it, and continues', async () => {
    await monitor.add(draftOf('RB1CN'));
    // In one step: half a file would count as damaged.
    await rename(await folder.put('newer.json', '{"version":2,"parcels":[]}'), folder.indexPath);
    await eventually(() => expect(monitor.getState().notices).toEqual([expect.stringMatching(/newer version/)]));
    expect(onBoard()).toEqual(['RB1CN']);
    expect((await failureOf(folder.open().read())).kind).toBe('newer-version');
    await rm(folder.indexPath);
  });
});

it("lists the user's unsaved changes when a board that cannot write is closed", async ({ skip }) => {
  if (disk === null) return skip('no disk can be mounted here');
  const kept = await monitor.add(draftOf('RB1CN'));
  const edited = await monitor.add(draftOf('RB2CN'));
  await disk.fill();
  await failureOf(monitor.add(draftOf('RB3CN')));
  await failureOf(monitor.edit(edited.parcel.id, { label: 'Lamp' }));
  await failureOf(monitor.remove(kept.parcel.id));
  const { kind, message } = await failureOf(monitor.stop());
  expect(kind).toBe('disk-full');
  expect(message).toMatch(/No space left.* Not saved: added RB3CN; removed RB1CN; changed RB2CN\.$/);
  await disk.free();
  await monitor.stop();
  expect(await onDisk()).toEqual(['RB2CN', 'RB3CN']);
});

it('applies a decision that cannot be saved, reports the failure once, and saves it as soon as possible', async ({
  skip,
}) => {
  if (disk === null) return skip('no disk can be mounted here');
  const context = { clock: realClock, random: Math.random, processes: null };
  const state = join(disk.path, 'state');
  const kept = createFileDocument(join(state, 'polling.json'), readPollingMemory, context);
  let attempts = 0;
  const memory: PollingMemory = {
    read: kept.read,
    update: async (change) => {
      attempts += 1;
      return await kept.update(change);
    },
  };
  const open = (): Monitor =>
    createMonitor({
      ...context,
      store: folder.open(),
      service: null,
      gate: new CallGate({
        ...context,
        memory,
        meter: createUsageMeter(realClock, createFileDocument(join(state, 'meter.json'), readSavedUsage, context)),
        lease: createFilePollLease(join(state, 'lease'), context),
        policy: { followMs: 20, reloadMs: 20 },
      }),
    });
  const board = open();
  await board.load();
  board.start();
  await disk.fill();
  await board.pause();
  expect(board.getState().polling.paused).toBe(true);
  expect(board.getState().notices).toEqual([expect.stringMatching(/No space left to write .*polling\.json/)]);
  board.dismissNotice();
  const before = attempts;
  await eventually(() => expect(attempts).toBeGreaterThan(before + 2));
  expect(board.getState().notices).toEqual([]);
  await disk.free();
  const other = open();
  await eventually(async () => {
    await other.load();
    expect(other.getState().polling.paused).toBe(true);
  });
  await board.stop();
});
