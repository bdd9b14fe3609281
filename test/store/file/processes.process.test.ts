import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { createProcesses } from '../../../src/store/file/processes.ts';
import { eventually } from '../../support/eventually.ts';

const processes = createProcesses(process);

it('sees that this process is running, and so is one that it may not signal', () => {
  expect(processes.isRunning(process.pid)).toBe(true);
  expect(processes.isRunning(1)).toBe(true);
});

it('sees that an ended process is not running', async () => {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('close', resolve));
  expect(processes.isRunning(child.pid ?? 0)).toBe(false);
});

it.skipIf(process.platform !== 'linux')('sees that a zombie process is not running', async () => {
  // The shell's child is left to a program that never waits for it.
  const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const line = await createInterface({ input: parent.stdout })[Symbol.asyncIterator]().next();
    const pid = Number(line.value);
    await eventually(() => expect(processes.isRunning(pid)).toBe(false));
    expect(() => process.kill(pid, 0)).not.toThrow();
  } finally {
    parent.kill('SIGKILL');
  }
});

it('names the scope in which process ids are unique', () => {
  expect(processes.scope()).toMatch(/\S/);
  expect(processes.scope()).toBe(processes.scope());
});

it('calls exit listeners through a single handler, unless they were removed', () => {
  const own = Object.assign(new EventEmitter(), { pid: 1, kill: () => true });
  const { onExit } = createProcesses(own as unknown as NodeJS.Process);
  const called: number[] = [];
  const removers = Array.from({ length: 12 }, (_, index) => onExit?.(() => called.push(index)));
  expect(own.listenerCount('exit')).toBe(1);
  for (const remove of removers.slice(2)) remove?.();
  own.emit('exit');
  expect(called).toEqual([0, 1]);
  for (const remove of removers) remove?.();
  expect(own.listenerCount('exit')).toBe(0);
});
