import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createSuspension, type StoppableProcess } from '../../src/system/process-life.ts';

/** A process that gets signals from the test, and records those that it sends itself. */
function createProcess(platform: NodeJS.Platform = 'linux') {
  const sent: string[] = [];
  const fakeProcess = Object.assign(new EventEmitter(), {
    pid: 42,
    platform,
    kill: (pid: number, signal: string) => {
      sent.push(`${signal} ${pid}`);
      return true;
    },
  });
  return { fakeProcess: fakeProcess as unknown as StoppableProcess & EventEmitter, sent };
}

test('SIGTSTP leaves the screen, then stops the process until SIGCONT', async () => {
  const { fakeProcess, sent } = createProcess();
  const suspended = Promise.withResolvers<() => Promise<void>>();
  createSuspension(fakeProcess)?.subscribe((stopProcess) => suspended.resolve(stopProcess));
  fakeProcess.emit('SIGTSTP');
  const resumed = (await suspended.promise)();
  expect(sent).toEqual(['SIGSTOP 42']);
  fakeProcess.emit('SIGCONT');
  await resumed;
  // The process must ask for the window size, because only the shell was notified of a change.
  expect(sent.slice(1)).toEqual(['SIGWINCH 42']);
});

test('a quick fg before the screen is left keeps the process running', async () => {
  const { fakeProcess, sent } = createProcess();
  const suspended = Promise.withResolvers<() => Promise<void>>();
  createSuspension(fakeProcess)?.subscribe((stopProcess) => suspended.resolve(stopProcess));
  fakeProcess.emit('SIGTSTP');
  fakeProcess.emit('SIGCONT');
  await (await suspended.promise)();
  expect(sent).not.toContain('SIGSTOP 42');
});

test('Ctrl+Z stops the whole job; there is no suspension without job control', () => {
  const { fakeProcess, sent } = createProcess();
  createSuspension(fakeProcess)?.request();
  expect(sent).toEqual(['SIGTSTP 0']);
  expect(createSuspension(createProcess('win32').fakeProcess)).toBeNull();
});
