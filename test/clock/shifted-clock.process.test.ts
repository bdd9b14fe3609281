import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clockSpeedVariable } from './clock-shift.ts';
import { shiftClocks } from './shift-clocks.ts';
import { quietNoon, testInstant, testInstants } from './test-instant.ts';

const leapDay = Date.UTC(2028, 1, 29, 11);
const minuteMs = 60_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-clock-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Evaluates an expression in a process whose clock is shifted from the machine's, regardless of this test's clock. */
async function evaluate(expression: string, speed = 1): Promise<unknown> {
  const environment: NodeJS.ProcessEnv = {};
  // The machine's own time: this test may run on a shifted clock itself.
  const { stdout: machine } = await promisify(execFile)('date', ['+%s%3N']);
  shiftClocks(environment, leapDay, Number(machine));
  if (speed !== 1) environment[clockSpeedVariable] = `${speed}@${machine.trim()}`;
  const script = `import fs from 'node:fs';
    import { open, stat, utimes, writeFile } from 'node:fs/promises';
    const path = ${JSON.stringify(join(folder, 'file'))};
    console.log(JSON.stringify(await (async () => (${expression}))()));`;
  const program = ['--input-type=module', '--eval', script];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, program, { env: environment });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const isNear = (at: unknown): boolean => Math.abs(Number(at) - leapDay) < 10 * minuteMs;

describe('a program on a shifted clock', () => {
  test.each([
    ['Date.now()'],
    ['new Date().getTime()'],
    ['Date.parse(Date())'],
    ['structuredClone(new Date()) instanceof Date ? Date.now() : 0'],
    ['(fs.writeFileSync(path, ""), fs.statSync(path).mtimeMs)'],
    ['(fs.writeFileSync(path, ""), Number(fs.statSync(path, { bigint: true }).mtimeNs / 1_000_000n))'],
    ['(await writeFile(path, ""), (await stat(path)).mtime.getTime())'],
    ['(await writeFile(path, ""), (await (await open(path)).stat()).ctimeMs)'],
    ['new Promise((resolve) => fs.stat("/", (_error, { mtimeMs }) => resolve(mtimeMs - 0 > 0 ? Date.now() : 0)))'],
    ['(await writeFile(path, ""), await utimes(path, new Date(), Date.now() / 1000), (await stat(path)).mtimeMs)'],
  ])('gets the shifted time from %s', async (expression) => expect(await evaluate(expression)).toSatisfy(isNear));

  test('can still represent other dates, and reports missing files', async () => {
    expect(await evaluate('new Date(0).toISOString() + new Date(2026, 0).getFullYear()')).toBe(
      '1970-01-01T00:00:00.000Z2026',
    );
    expect(await evaluate('fs.statSync("/nowhere", { throwIfNoEntry: false }) ?? null')).toBeNull();
    expect(await evaluate('stat("/nowhere").catch(({ code }) => code)')).toBe('ENOENT');
  });
});

describe('the start time of a test run', () => {
  test('can be a name, a date or the machine’s own time', () => {
    expect(testInstant('leap-day', 0)).toBe(leapDay);
    expect(testInstant('2027-05-01T10:00:00Z', 0)).toBe(Date.UTC(2027, 4, 1, 10));
    expect(testInstant('machine', 0)).toBeNull();
    expect(testInstant('noon', 0)).toBe(Date.parse(quietNoon));
  });

  test('cycles through all names, one per day', () => {
    const days = Object.keys(testInstants).map((_name, day) => testInstant('day', day * 24 * 60 * minuteMs));
    expect(new Set(days).size).toBe(days.length);
  });

  test('is refused with a list of the valid values', () => {
    expect(() => testInstant('yesterday', 0)).toThrow(/leap-day.*yesterday/);
    expect(() => testInstant('2027-13-01T10:00:00Z', 0)).toThrow(/machine/);
  });
});

test('a program on a fast clock waits less time than it measures, and its files age at the same speed', async () => {
  // The machine may be busy between any two clock reads, so the unshifted clock is read before and after.
  const readClocks = '[performance.now(), Date.now(), performance.now()]';
  const wait = 'await new Promise((resolve) => setTimeout(resolve, 20_000))';
  const [from, to, age] = (await evaluate(
    `await (async () => { const from = ${readClocks}; await writeFile(path, ''); ${wait}; const to = ${readClocks}; return [from, to, Date.now() - (await stat(path)).mtimeMs]; })()`,
    100,
  )) as readonly [readonly [number, number, number], readonly [number, number, number], number];
  const passed = to[1] - from[1];
  expect(passed / (to[2] - from[0])).toBeLessThan(105);
  expect(passed / (to[0] - from[2])).toBeGreaterThan(95);
  expect(age).toBeGreaterThanOrEqual(19_000);
});

test('a frozen clock freezes dates and files, but timers run', async () => {
  const [from, to, written] = (await evaluate(
    "await (async () => { const from = Date.now(); await new Promise((resolve) => setTimeout(resolve, 20)); await writeFile(path, ''); return [from, Date.now(), (await stat(path)).mtimeMs]; })()",
    0,
  )) as readonly [number, number, number];
  expect(from).toSatisfy(isNear);
  expect(to).toBe(from);
  // Files have fractions of milliseconds.
  expect(Math.abs(written - from)).toBeLessThanOrEqual(1);
});
