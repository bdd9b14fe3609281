import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../src/watchlist/errors.ts';
import { createFilePollLease } from '../../src/watchlist/poll-lease.ts';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-'));
  path = join(folder, 'state', 'poll');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the poll lease', () => {
  it('is held by one at a time, and free when given back', async () => {
    const [one, other] = [createFilePollLease(path), createFilePollLease(path)];
    expect(await one.hold()).toBe(true);
    expect(await one.hold()).toBe(true);
    expect(await other.hold()).toBe(false);
    await other.release();
    expect(await other.hold()).toBe(false);
    await one.release();
    await one.release();
    expect(await other.hold()).toBe(true);
    await other.release();
  });

  it('is taken over from a process that died', async () => {
    await mkdir(`${path}.lock`, { recursive: true });
    const old = new Date(Date.now() - 60_000);
    await utimes(`${path}.lock`, old, old);
    const lease = createFilePollLease(path);
    expect(await lease.hold()).toBe(true);
    await lease.release();
  });

  it('says so when it cannot be kept', async () => {
    await writeFile(join(folder, 'state'), 'a file where the folder should be');
    await expect(createFilePollLease(path).hold()).rejects.toThrow(StoreError);
  });
});
