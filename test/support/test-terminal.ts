import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { PassThrough } from 'node:stream';
import { Terminal, type TerminalSource } from '../../src/system/terminal.ts';
import type { Screen } from './screen.ts';

/** The owner of a test's terminal, in a process that does not end. */
export function terminalForScreen({ stdin, stdout }: Pick<Screen, 'stdin' | 'stdout'>): Terminal {
  const living = Object.assign(new EventEmitter(), { pid: 42, kill: () => true, stdin, stdout });
  return new Terminal({
    currentProcess: living as unknown as TerminalSource['currentProcess'],
    files: {
      writeSync: ((_descriptor: number, text: Uint8Array) => {
        stdout.write(text);
        return text.length;
      }) as typeof fs.writeSync,
    },
    setTimer: () => () => undefined,
    pause: () => undefined,
  });
}

/** A terminal of 80 by 24 with its owner, in a process that gets signals from the test, and the results. */
export function createTestTerminal({
  argv = [] as readonly string[],
  environment = {} as Readonly<Record<string, string>>,
  platform = 'linux',
} = {}) {
  const written: string[] = [];
  const sent: string[] = [];
  const raw: boolean[] = [];
  const happened: string[] = [];
  const pauses: number[] = [];
  const timers = new Set<() => void>();
  const stdin = Object.assign(new PassThrough(), {
    setRawMode(isRaw: boolean) {
      raw.push(isRaw);
      happened.push(isRaw ? 'raw' : 'not raw');
    },
  });
  const living = Object.assign(new EventEmitter(), {
    argv: ['node', 'cli.js', ...argv],
    env: environment,
    platform,
    pid: 42,
    kill: (pid: number, signal: string) => sent.push(`${signal} ${pid}`) > 0,
    geteuid: () => process.geteuid?.() ?? 0,
    stdin,
    stdout: { columns: 80, rows: 24 },
  });
  const files = {
    ...fs,
    writeSync: ((_descriptor: number, text: Uint8Array) => {
      happened.push('written');
      written.push(Buffer.from(text).toString('utf8'));
      return text.length;
    }) as typeof fs.writeSync,
  };
  const source: TerminalSource = {
    currentProcess: living as unknown as TerminalSource['currentProcess'],
    files,
    setTimer: (_milliseconds, callback) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
    pause: (milliseconds) => void pauses.push(milliseconds),
  };
  return { files, happened, living, pauses, raw, sent, source, terminal: new Terminal(source), timers, written };
}
