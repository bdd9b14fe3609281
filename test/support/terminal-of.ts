import { EventEmitter } from 'node:events';
import { Terminal } from '../../src/process/terminal.ts';
import type { Screen } from './screen.ts';

/** The owner of a test's terminal, in a process that nobody ends. */
export function terminalOf({ stdin, stdout }: Pick<Screen, 'stdin' | 'stdout'>): Terminal {
  const living = Object.assign(new EventEmitter(), { pid: 42, kill: () => true, stdin, stdout });
  return new Terminal({
    living: living as unknown as NodeJS.Process,
    files: {
      writeSync: ((_descriptor: number, text: Uint8Array) => {
        stdout.write(text);
        return text.length;
      }) as typeof import('node:fs').writeSync,
    },
    setTimer: () => () => undefined,
    pause: () => undefined,
  });
}
