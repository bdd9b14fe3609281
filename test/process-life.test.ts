import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type LivingProcess, watchProcess } from '../src/process-life.ts';

/** A process that can be sent signals and remembers how it was ended. */
class FakeProcess extends EventEmitter {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly exits: number[] = [];

  exit(code: number): void {
    this.exits.push(code);
  }

  complaints(): string {
    return String(this.stderr.read() ?? '');
  }
}

function watch() {
  const fake = new FakeProcess();
  return { fake, life: watchProcess(fake as unknown as LivingProcess) };
}

describe('the life of the process', () => {
  it('ends with the code of the command', async () => {
    const { fake, life } = watch();
    await life.end(5);
    expect(fake.exits).toEqual([5]);
    expect(fake.complaints()).toBe('');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('is told to stop by %s and then ends with %i whatever the command says', async (signal, code) => {
    const { fake, life } = watch();
    fake.emit(signal);
    expect(life.signal.aborted).toBe(true);
    expect(fake.exits).toEqual([]);
    await life.end(0);
    expect(fake.exits).toEqual([code]);
  });

  it('ends at once when it is told twice', () => {
    const { fake } = watch();
    fake.emit('SIGINT');
    fake.emit('SIGINT');
    expect(fake.exits[0]).toBe(130);
  });

  it.each(['uncaughtException', 'unhandledRejection'])(
    'tells of an %s only when the command has ended',
    async (event) => {
      const { fake, life } = watch();
      fake.emit(event, new TypeError('x is not a function'));
      expect(life.signal.aborted).toBe(true);
      expect(fake.complaints()).toBe('');
      await life.end(0);
      expect(fake.complaints()).toMatch(/bug in parcel-monitor.*\n.*x is not a function/);
      expect(fake.exits).toEqual([1]);
    },
  );

  it("keeps Node's warnings off a screen, and tells them afterwards", async () => {
    const { fake, life } = watch();
    fake.emit('warning', new Error('before'));
    expect(fake.complaints()).toBe('parcel-monitor: Error: before\n');
    life.holdWarnings();
    fake.emit('warning', new Error('meanwhile'));
    expect(fake.complaints()).toBe('');
    await life.end(0);
    expect(fake.complaints()).toBe('parcel-monitor: Error: meanwhile\n');
  });

  it('stops without a word when nobody reads its output any more', async () => {
    const { fake, life } = watch();
    fake.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect(life.signal.aborted).toBe(true);
    await life.end(0);
    expect(fake.exits).toEqual([0]);
    expect(fake.complaints()).toBe('');
  });
});
