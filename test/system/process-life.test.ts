import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeFailure } from '../../src/settings/errors.ts';
import { type CurrentProcess, watchProcess } from '../../src/system/process-life.ts';

/** A process that can receive signals and records how it was ended. */
class FakeProcess extends EventEmitter {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly exits: number[] = [];

  getActiveResourcesInfo(): readonly string[] {
    return [];
  }

  errorOutput(): string {
    return String(this.stderr.read() ?? '');
  }
}

function watch() {
  const fake = new FakeProcess();
  const life = watchProcess(
    fake as unknown as CurrentProcess,
    fake,
    (code) => void fake.exits.push(code),
    (error) => describeFailure(error).message,
  );
  return { fake, life };
}

afterEach(() => vi.useRealTimers());

describe('watchProcess', () => {
  it('lets another program handle Ctrl+C until it takes it back', () => {
    const { fake, life } = watch();
    const takeBack = life.passInterruptsOn();
    fake.emit('SIGINT');
    expect(life.signal.aborted).toBe(false);
    takeBack();
    takeBack();
    fake.emit('SIGINT');
    expect(life.signal.aborted).toBe(true);
  });

  it('exits with the code of the command', async () => {
    const { fake, life } = watch();
    await life.end(5);
    expect(fake.exits).toEqual([5]);
    expect(fake.errorOutput()).toBe('');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('stops on %s and exits with %i', async (signal, code) => {
    const { fake, life } = watch();
    fake.emit(signal);
    expect(life.signal.aborted).toBe(true);
    expect(fake.exits).toEqual([]);
    await life.end(0);
    expect(fake.exits).toEqual([code]);
  });

  it('exits immediately on a second signal', () => {
    const { fake } = watch();
    fake.emit('SIGINT');
    fake.emit('SIGINT');
    expect(fake.exits[0]).toBe(130);
  });

  it.each([
    ['SIGINT', 130, 999],
    ['SIGTERM', 143, 2000],
    ['SIGHUP', 129, 2000],
  ])('forces the end if the command does not end after %s', (signal, code, withinMs) => {
    vi.useFakeTimers();
    const { fake, life } = watch();
    const order: string[] = [];
    life.onForcedEnd(() => {
      order.push('first');
      return 'Not written: added RB1CN.';
    });
    life.onForcedEnd(() => {
      order.push('latest');
      throw new Error('the roof fell in');
    });
    const forget = life.onForcedEnd(() => 'forgotten');
    forget();
    fake.emit(signal);
    expect(fake.exits).toEqual([]);
    vi.advanceTimersByTime(withinMs);
    expect(fake.exits).toEqual([code]);
    expect(order).toEqual(['latest', 'first']);
    const errorOutput = fake.errorOutput();
    expect(errorOutput).toContain('the roof fell in');
    expect(errorOutput).toContain('parcel-monitor: Not written: added RB1CN.');
    expect(errorOutput).not.toContain('forgotten');
  });

  it('reports an error even if the command does not end', () => {
    vi.useFakeTimers();
    const { fake } = watch();
    fake.emit('uncaughtException', new TypeError('x is not a function'));
    vi.advanceTimersByTime(2000);
    expect(fake.exits).toEqual([1]);
    expect(fake.errorOutput()).toContain('x is not a function');
  });

  it('does not wait for a frozen terminal', async () => {
    const { fake, life } = watch();
    vi.spyOn(fake.stdout, 'write').mockReturnValue(false);
    life.lendTerminal();
    await life.end(0);
    expect(fake.exits).toEqual([0]);
  });

  it.each(['uncaughtException', 'unhandledRejection'])('reports an %s after the command has ended', async (event) => {
    const { fake, life } = watch();
    fake.emit(event, new TypeError('x is not a function'));
    expect(life.signal.aborted).toBe(true);
    expect(fake.errorOutput()).toBe('');
    await life.end(0);
    expect(fake.errorOutput()).toMatch(/bug in parcel-monitor.*\n.*x is not a function/);
    expect(fake.exits).toEqual([1]);
  });

  it("holds back Node's warnings while a screen is shown", async () => {
    const { fake, life } = watch();
    fake.emit('warning', new Error('before'));
    expect(fake.errorOutput()).toBe('parcel-monitor: Error: before\n');
    life.lendTerminal();
    fake.emit('warning', new Error('meanwhile'));
    expect(fake.errorOutput()).toBe('');
    await life.end(0);
    expect(fake.errorOutput()).toBe('parcel-monitor: Error: meanwhile\n');
  });

  it('does not pass on the warning of Node that NO_COLOR is ignored', () => {
    const { fake } = watch();
    fake.emit('warning', new Error("The 'NO_COLOR' env is ignored due to the 'FORCE_COLOR' env being set."));
    expect(fake.errorOutput()).toBe('');
  });

  it('stops silently when the reader of its output is gone', async () => {
    const { fake, life } = watch();
    fake.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect(life.signal.aborted).toBe(true);
    await life.end(0);
    expect(fake.exits).toEqual([0]);
    expect(fake.errorOutput()).toBe('');
  });

  it('stops, says so and exits with 1 when results could not be written', async () => {
    const { fake, life } = watch();
    life.markResultsLost(Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' }));
    expect(life.signal.aborted).toBe(true);
    await life.end(0);
    expect(fake.exits).toEqual([1]);
    expect(fake.errorOutput()).toMatch(/^parcel-monitor: The output is not complete: there is no space [^\n]+\n$/);
  });

  it('reports results whose last write failed', async () => {
    const { fake, life } = watch();
    fake.stdout.write('result');
    const ended = life.end(0);
    life.markResultsLost(Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' }));
    fake.stdout.resume();
    await ended;
    expect(fake.exits).toEqual([1]);
    expect(fake.errorOutput()).toMatch(/not complete/);
  });

  it('continues if a message could not be written, but exits with 1', async () => {
    const { fake, life } = watch();
    fake.stderr.emit('error', Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' }));
    expect(life.signal.aborted).toBe(false);
    await life.end(0);
    expect(fake.exits).toEqual([1]);
  });

  it('keeps the exit code of a failed command if a message could not be written', async () => {
    const { fake, life } = watch();
    life.markMessagesLost();
    await life.end(5);
    expect(fake.exits).toEqual([5]);
  });
});
