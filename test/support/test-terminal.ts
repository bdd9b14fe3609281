import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { PassThrough } from 'node:stream';
import { Terminal, type TerminalSource } from '../../src/system/terminal.ts';
import type { Screen } from './screen.ts';

/** A {@link Terminal} on a test's screen, in a process that never ends. */
export function terminalForScreen({ stdin, stdout }: Pick<Screen, 'stdin' | 'stdout'>): Terminal {
  const fakeProcess = Object.assign(new EventEmitter(), { pid: 42, kill: () => true, stdin, stdout });
  return new Terminal({
    currentProcess: fakeProcess as unknown as TerminalSource['currentProcess'],
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

/** An 80×24 terminal in a fake process that gets its signals from the test, and a record of what happened. */
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
  const fakeProcess = Object.assign(new EventEmitter(), {
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
    currentProcess: fakeProcess as unknown as TerminalSource['currentProcess'],
    files,
    setTimer: (_milliseconds, callback) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
    pause: (milliseconds) => void pauses.push(milliseconds),
  };
  return {
    files,
    happened,
    living: fakeProcess,
    pauses,
    raw,
    sent,
    source,
    terminal: new Terminal(source),
    timers,
    written,
  };
}
