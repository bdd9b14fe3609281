import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createFileDocument,
  emptyPollingMemory,
  measuredClock,
  type PollingMemory,
  readPollingMemory,
} from '../../src/store/shared-state.ts';
import { realClock } from '../support/real-clock.ts';
import { createTestFolder } from '../support/test-folder.ts';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await createTestFolder();
  path = join(folder, 'state', 'polling.json');
});

const open = (): PollingMemory =>
  createFileDocument(path, readPollingMemory, { clock: realClock, random: Math.random, processes: null });

describe('the polling memory', () => {
  it('is kept across restarts, readable only by the user', async () => {
    const data = {
      measuredOffsetMinutes: 60,
      skewMs: -20_000,
      coolDown: { until: 5_000, byService: true, failures: 2 },
      registerCoolDown: { until: 7_000, byService: false, failures: 1 },
      lag: { ms: 30_000, least: 5_000, former: null, probeAt: 9_000, probePauseMs: 86_400_000 },
      paused: true,
    };
    await open().update(() => data);
    expect(await open().read()).toEqual(data);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['damaged', '{"measured', emptyPollingMemory],
    ['of the wrong shape', '[1]', emptyPollingMemory],
    [
      'partly unusable',
      '{"version":1,"measuredOffsetMinutes":9999,"skewMs":"much","coolDown":{"until":1,"byService":false,"failures":1}}',
      {
        measuredOffsetMinutes: null,
        skewMs: 0,
        coolDown: { until: 1, byService: false, failures: 1 },
        registerCoolDown: null,
        lag: null,
        paused: false,
      },
    ],
  ])('reads what it can from a file that is %s', async (_name, text, data) => {
    path = join(folder, 'polling.json');
    await writeFile(path, text);
    expect(await open().read()).toEqual(data);
  });

  it('returns the measured clock', () => {
    expect(measuredClock(emptyPollingMemory)).toBeNull();
    expect(measuredClock({ ...emptyPollingMemory, measuredOffsetMinutes: 0 })).toEqual({
      offsetMinutes: 0,
      source: 'measured',
    });
  });
});
