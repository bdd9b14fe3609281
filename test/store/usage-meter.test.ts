import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs as day } from '../../src/lib/clock.ts';
import { StoreError } from '../../src/lib/store-errors.ts';
import { createFileDocument } from '../../src/store/shared-state.ts';
import {
  addUsage,
  createUsageMeter,
  nextUsageDay,
  nextUsageMonth,
  noUsage,
  readSavedUsage,
  readUsageDays,
  type Usage,
  type UsageDays,
  type UsageMeter,
  usageTotals,
} from '../../src/store/usage-meter.ts';
import { realClock } from '../support/real-clock.ts';
import { createTestFolder } from '../support/test-folder.ts';

const evening = Date.UTC(2026, 10, 30, 23, 59, 59);
const oneQuery: Usage = { calls: 1, queries: 1, numbers: 40, registrations: 0 };

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await createTestFolder();
  path = join(folder, 'state', 'meter.json');
});

describe('usage', () => {
  it('is counted by day and month in UTC, regardless of zone and season', () => {
    const days = addUsage(addUsage({}, oneQuery, evening - day), oneQuery, evening);
    expect(usageTotals(days, evening)).toEqual({
      day: '2026-11-30',
      today: oneQuery,
      month: { calls: 2, queries: 2, numbers: 80, registrations: 0 },
    });
    expect(usageTotals(days, evening + 1_000)).toEqual({ day: '2026-12-01', today: noUsage, month: noUsage });
    expect(new Date(nextUsageDay(evening)).toISOString()).toBe('2026-12-01T00:00:00.000Z');
    expect(new Date(nextUsageMonth(evening)).toISOString()).toBe('2026-12-01T00:00:00.000Z');
    expect(new Date(nextUsageMonth(Date.UTC(2026, 11, 5))).toISOString()).toBe('2027-01-01T00:00:00.000Z');
  });

  it('is kept for about sixty days, and never longer', () => {
    let days: UsageDays = {};
    for (let index = 0; index < 400; index += 1) days = addUsage(days, oneQuery, evening + index * day);
    expect(Object.keys(days)).toHaveLength(62);
    expect(Object.keys(days).at(-1)).toBe('2028-01-03');
  });

  it('is counted for today even after the clock was years ahead', () => {
    let days: UsageDays = {};
    for (let index = 0; index < 80; index += 1) days = addUsage(days, oneQuery, evening + (4_000 + index) * day);
    days = addUsage(addUsage(days, oneQuery, evening), oneQuery, evening);
    expect(usageTotals(days, evening).today.queries).toBe(2);
    expect(Object.keys(days).length).toBeLessThanOrEqual(62);
  });

  it('is never negative after corrections', () => {
    const days = addUsage({}, { calls: 0, queries: 0, numbers: 0, registrations: -5 }, evening);
    expect(usageTotals(days, evening).today).toEqual(noUsage);
  });

  it('can be read from any value, without its unusable parts', () => {
    const usage = { calls: 2, queries: -1, numbers: 'many', registrations: 1.5 };
    expect(readUsageDays({ days: { '2026-11-30': usage, today: usage, '2026-11-29': null } })).toEqual({
      '2026-11-30': { ...noUsage, calls: 2 },
      '2026-11-29': noUsage,
    });
    for (const odd of [null, 7, 'x', [], { days: 'x' }]) expect(readUsageDays(odd)).toEqual({});
  });
});

describe('the meter', () => {
  const openFile = (clock = realClock): UsageMeter =>
    createUsageMeter(clock, createFileDocument(path, readSavedUsage, { clock, random: Math.random, processes: null }));

  it('removes temp files from processes killed during a write', async () => {
    await openFile().add(() => oneQuery);
    const leftOver = join(folder, 'state', '.polling.json.0abc1def0abc1def.tmp');
    await writeFile(leftOver, '{');
    await utimes(leftOver, 0, 0);
    await openFile().add(() => oneQuery);
    expect(await readdir(join(folder, 'state'))).toEqual(['meter.json']);
  });

  it('starts at zero if its file is damaged', async () => {
    await openFile().add(() => oneQuery);
    await writeFile(path, '{"days": 3');
    expect((await openFile().read()).today).toEqual(noUsage);
    await openFile().add(() => oneQuery);
    expect(readUsageDays(JSON.parse(await readFile(path, 'utf8')))).toMatchObject({
      [new Date(realClock.now()).toISOString().slice(0, 10)]: oneQuery,
    });
  });

  it('reports that it cannot be written', async () => {
    await writeFile(join(folder, 'state'), 'a file where the folder should be');
    await expect(openFile().add(() => oneQuery)).rejects.toThrow(StoreError);
  });
});
