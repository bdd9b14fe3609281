/**
 * Load this before a program (`node --import`) to set the clock of its process ahead by `TEST_CLOCK_SHIFT_MS`
 * milliseconds: dates and file times. `TEST_CLOCK_SPEED` ("6@1790000000000") also makes it 6 times faster from that
 * instant of the machine's clock on, including timers. At speed 0, dates stop there and timers run as usual. The
 * machine's clock does not change, and processes with the same variables agree.
 */
import fs, { type BigIntStats, type Stats } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// biome-ignore lint/suspicious/noExplicitAny: the functions of Node's modules are replaced by name
type Functions = Record<string, any>;

const shiftMs = Number(process.env['TEST_CLOCK_SHIFT_MS'] ?? 0);
const [speed = 1, fastFrom = 0] = (process.env['TEST_CLOCK_SPEED'] ?? '1@0').split('@').map(Number);
const RealDate = Date;
/** How far ahead this clock is at an instant of the machine's clock. */
const aheadAt = (machine: number): number => shiftMs + Math.max(0, machine - fastFrom) * (speed - 1);
const now = (): number => Math.round(RealDate.now() + aheadAt(RealDate.now()));

/** Instances are ordinary dates. */
const ShiftedDate: DateConstructor = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, parts, created): Date =>
    Reflect.construct(target, parts.length === 0 ? [now()] : parts, created === ShiftedDate ? target : created),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});

const timesOfFiles = ['atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs'] as const;

/** Shifts a file's times. Node derives the dates from the milliseconds on access. */
function shiftStats(stats: unknown): unknown {
  if (stats === undefined || stats === null) return stats;
  const shifted = stats as Functions;
  const isLarge = typeof (stats as Stats | BigIntStats).mtimeMs === 'bigint';
  for (const name of timesOfFiles) {
    if (!isLarge) {
      shifted[name] += Math.round(aheadAt(shifted[name]));
      continue;
    }
    const aheadMs = BigInt(Math.round(aheadAt(Number(shifted[name]))));
    shifted[name] += aheadMs;
    shifted[name.replace('Ms', 'Ns')] += aheadMs * 1_000_000n;
  }
  return shifted;
}

/**
 * Converts a file time of the program to the machine's clock. Numbers are seconds. Not before 1970, where file systems
 * and Node disagree.
 */
function onMachine(time: unknown): unknown {
  const unshifted = (time instanceof RealDate ? time.getTime() : Number(time) * 1000) - shiftMs;
  const machine = unshifted <= fastFrom || speed === 0 ? unshifted : fastFrom + (unshifted - fastFrom) / speed;
  return Math.max(0, machine / 1000);
}

function shiftAnswers(owner: Functions, name: string): void {
  const real = owner[name];
  owner[name] = Object.assign(function (this: unknown, ...given: unknown[]) {
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      given[given.length - 1] = (error: unknown, stats: unknown) => callback(error, shiftStats(stats));
      return real.apply(this, given);
    }
    const answer = real.apply(this, given);
    return answer instanceof Promise ? answer.then(shiftStats) : shiftStats(answer);
  }, real);
}

function shiftRequests(owner: Functions, name: string, firstTime: number): void {
  const real = owner[name];
  owner[name] = function (this: unknown, ...given: unknown[]) {
    for (const index of [firstTime, firstTime + 1]) given[index] = onMachine(given[index]);
    return real.apply(this, given);
  };
}

function shiftFileTimes(fileHandle: Functions): void {
  for (const name of ['stat', 'lstat', 'fstat', 'statSync', 'lstatSync', 'fstatSync']) shiftAnswers(fs, name);
  for (const name of ['stat', 'lstat']) shiftAnswers(fs.promises, name);
  shiftAnswers(fileHandle, 'stat');
  for (const name of ['utimes', 'lutimes', 'futimes', 'utimesSync', 'lutimesSync', 'futimesSync']) {
    shiftRequests(fs, name, 1);
  }
  for (const name of ['utimes', 'lutimes']) shiftRequests(fs.promises, name, 1);
  shiftRequests(fileHandle, 'utimes', 0);
}

/** Shortens timers by the speed of the clock. */
function hurryTimers(): void {
  const timers: Functions = globalThis;
  for (const name of ['setTimeout', 'setInterval']) {
    const real = timers[name];
    timers[name] = Object.assign(
      (callback: unknown, delayMs = 0, ...given: unknown[]) => real(callback, delayMs / speed, ...given),
      real,
    );
  }
}

if (speed !== 1 && speed !== 0) hurryTimers();
if (shiftMs !== 0 || speed !== 1) {
  globalThis.Date = ShiftedDate;
  RealDate.prototype.constructor = ShiftedDate;
  const opened = await fs.promises.open(process.execPath);
  shiftFileTimes(Object.getPrototypeOf(opened));
  await opened.close();
  syncBuiltinESMExports();
}
