/**
 * Preload this (`node --import`) to set a process's clock, including its file times, ahead by `TEST_CLOCK_SHIFT_MS`
 * milliseconds. `TEST_CLOCK_SPEED` ("6@1790000000000") also makes the clock and all timers run 6 times as fast from
 * that instant on the machine's clock. At speed 0, dates stop there and timers run as usual. The machine's clock does
 * not change, and processes with the same variables agree.
 */
import fs, { type BigIntStats, type Stats } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// biome-ignore lint/suspicious/noExplicitAny: functions of Node's modules are replaced by name
type Functions = Record<string, any>;

const shiftMs = Number(process.env['TEST_CLOCK_SHIFT_MS'] ?? 0);
const [speed = 1, fastFrom = 0] = (process.env['TEST_CLOCK_SPEED'] ?? '1@0').split('@').map(Number);
const RealDate = Date;
/** How far ahead this clock is at an instant on the machine's clock. */
const aheadAt = (machine: number): number => shiftMs + Math.max(0, machine - fastFrom) * (speed - 1);
const now = (): number => Math.round(RealDate.now() + aheadAt(RealDate.now()));

/** Its instances are ordinary dates. */
const ShiftedDate: DateConstructor = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, args, newTarget): Date =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget === ShiftedDate ? target : newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});

const fileTimeFields = ['atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs'] as const;

/** Shifts a file's times. Node derives the dates from the milliseconds on access. */
function shiftStats(stats: unknown): unknown {
  if (stats === undefined || stats === null) return stats;
  const shifted = stats as Functions;
  const isBigInt = typeof (stats as Stats | BigIntStats).mtimeMs === 'bigint';
  for (const name of fileTimeFields) {
    if (!isBigInt) {
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
 * Converts a file time that the program sets to the machine's clock, in seconds (so are numbers). Never before 1970,
 * where file systems and Node disagree.
 */
function toMachineTime(time: unknown): unknown {
  const unshifted = (time instanceof RealDate ? time.getTime() : Number(time) * 1000) - shiftMs;
  const machine = unshifted <= fastFrom || speed === 0 ? unshifted : fastFrom + (unshifted - fastFrom) / speed;
  return Math.max(0, machine / 1000);
}

function shiftResults(owner: Functions, name: string): void {
  const real = owner[name];
  owner[name] = Object.assign(function (this: unknown, ...args: unknown[]) {
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (error: unknown, stats: unknown) => callback(error, shiftStats(stats));
      return real.apply(this, args);
    }
    const result = real.apply(this, args);
    return result instanceof Promise ? result.then(shiftStats) : shiftStats(result);
  }, real);
}

function unshiftArguments(owner: Functions, name: string, firstTime: number): void {
  const real = owner[name];
  owner[name] = function (this: unknown, ...args: unknown[]) {
    for (const index of [firstTime, firstTime + 1]) args[index] = toMachineTime(args[index]);
    return real.apply(this, args);
  };
}

function shiftFileTimes(fileHandle: Functions): void {
  for (const name of ['stat', 'lstat', 'fstat', 'statSync', 'lstatSync', 'fstatSync']) shiftResults(fs, name);
  for (const name of ['stat', 'lstat']) shiftResults(fs.promises, name);
  shiftResults(fileHandle, 'stat');
  for (const name of ['utimes', 'lutimes', 'futimes', 'utimesSync', 'lutimesSync', 'futimesSync']) {
    unshiftArguments(fs, name, 1);
  }
  for (const name of ['utimes', 'lutimes']) unshiftArguments(fs.promises, name, 1);
  unshiftArguments(fileHandle, 'utimes', 0);
}

/** Shortens timers by the speed of the clock. */
function speedUpTimers(): void {
  const timers: Functions = globalThis;
  for (const name of ['setTimeout', 'setInterval']) {
    const real = timers[name];
    timers[name] = Object.assign(
      (callback: unknown, delayMs = 0, ...args: unknown[]) => real(callback, delayMs / speed, ...args),
      real,
    );
  }
}

if (speed !== 1 && speed !== 0) speedUpTimers();
if (shiftMs !== 0 || speed !== 1) {
  globalThis.Date = ShiftedDate;
  RealDate.prototype.constructor = ShiftedDate;
  const handle = await fs.promises.open(process.execPath);
  shiftFileTimes(Object.getPrototypeOf(handle));
  await handle.close();
  syncBuiltinESMExports();
}
