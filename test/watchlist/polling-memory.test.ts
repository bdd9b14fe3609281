import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFilePollingMemory, emptyPollingMemory, measuredClock } from '../../src/watchlist/polling-memory.ts';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-'));
  path = join(folder, 'state', 'polling.json');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the polling memory', () => {
  it('remembers over a restart, for the user only', async () => {
    const data = { measuredOffsetMinutes: 60, coolDown: { until: 5_000, byService: true, failures: 2 } };
    await createFilePollingMemory(path, Math.random).save(data);
    expect(await createFilePollingMemory(path, Math.random).load()).toEqual(data);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('remembers nothing at first', async () => {
    expect(await createFilePollingMemory(path, Math.random).load()).toEqual(emptyPollingMemory);
  });

  it.each([
    ['damaged', '{"measured', emptyPollingMemory],
    ['of another shape', '[1]', emptyPollingMemory],
    [
      'with one unusable value',
      '{"version":1,"measuredOffsetMinutes":9999,"coolDown":{"until":1,"byService":false,"failures":1}}',
      { measuredOffsetMinutes: null, coolDown: { until: 1, byService: false, failures: 1 } },
    ],
  ])('starts afresh from a file that is %s', async (_name, text, data) => {
    path = join(folder, 'polling.json');
    await writeFile(path, text);
    expect(await createFilePollingMemory(path, Math.random).load()).toEqual(data);
  });

  it('gives the measured clock', () => {
    expect(measuredClock(emptyPollingMemory)).toBeNull();
    expect(measuredClock({ ...emptyPollingMemory, measuredOffsetMinutes: 0 })).toEqual({
      offsetMinutes: 0,
      source: 'measured',
    });
  });
});
