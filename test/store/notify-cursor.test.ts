import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFileDocument, createNotifyCursor, type NotifyCursor, readCursor } from '../../src/store/shared-state.ts';
import { realClock } from '../support/real-clock.ts';
import { createTestFolder } from '../support/test-folder.ts';

let folder = '';
let path = '';
const running = new Set<number>();
beforeEach(async () => {
  folder = await createTestFolder();
  path = join(folder, 'state', 'notify.json');
  running.clear();
});

/** Opens the cursor as the process with this id. */
function openAs(pid: number): NotifyCursor {
  running.add(pid);
  const processes = { pid, scope: () => 'here', isRunning: (other: number) => running.has(other) };
  const context = { clock: realClock, random: Math.random, processes };
  return createNotifyCursor(createFileDocument(path, readCursor, context), processes);
}

describe('the notification cursor', () => {
  it('starts at the newest line, so that old news is not sent', async () => {
    const cursor = openAs(1);
    await cursor.join(7);
    expect(await cursor.claim(9)).toBe(7);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('gives each line to only one process', async () => {
    const cursors = [1, 2, 3].map(openAs);
    for (const cursor of cursors) await cursor.join(0);
    const claims = await Promise.all(cursors.map((cursor) => cursor.claim(5)));
    expect(claims.filter((from) => from < 5)).toEqual([0]);
  });

  it('leaves unsent lines to a process that is already notifying', async () => {
    const first = openAs(1);
    await first.join(3);
    await openAs(2).join(8);
    expect(await first.claim(8)).toBe(3);
  });

  it('skips lines left unsent by a process that has ended', async () => {
    await openAs(1).join(3);
    running.delete(1);
    const second = openAs(2);
    await second.join(8);
    expect(await second.claim(9)).toBe(8);
  });

  it('skips lines left unsent by a process that no longer notifies', async () => {
    const first = openAs(1);
    await first.join(3);
    await first.leave();
    const second = openAs(2);
    await second.join(8);
    expect(await second.claim(9)).toBe(8);
  });

  it('starts over with a new log', async () => {
    const first = openAs(1);
    await first.join(900);
    const second = openAs(2);
    await second.join(4);
    expect(await second.claim(5)).toBe(4);
  });

  it('treats a damaged file as missing', async () => {
    const cursor = openAs(1);
    await cursor.join(3);
    await writeFile(path, '{"seq": -1, "notifiers": [7, {}]}');
    await cursor.join(5);
    expect(await cursor.claim(6)).toBe(5);
  });
});
