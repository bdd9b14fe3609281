import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { TerminalSource } from '../../src/process/hold-terminal.ts';
import { StartLine } from '../../src/process/start-line.ts';

const erased = '\r\u001b[K';

/** A terminal, a frame that may stand on it, and the line. */
function createTerminal() {
  const written: string[] = [];
  const raw: boolean[] = [];
  const sent: string[] = [];
  const timers = new Set<() => void>();
  const screen = { isStanding: false, takesNothing: false };
  const living = Object.assign(new EventEmitter(), {
    pid: 42,
    kill: (_pid: number, signal: string) => sent.push(signal) > 0,
    stdin: Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => raw.push(isRaw) }),
    stdout: { columns: 80, rows: 24 },
  });
  const source: TerminalSource = {
    living: living as unknown as TerminalSource['living'],
    files: {
      ...fs,
      writeSync: ((_descriptor: number, text: Uint8Array) => {
        if (screen.takesNothing) throw new Error('This terminal takes nothing.');
        written.push(Buffer.from(text).toString('utf8'));
        return text.length;
      }) as typeof fs.writeSync,
    },
    setTimer: (_milliseconds, callback) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
    pause: () => undefined,
  };
  return { line: new StartLine(source, () => screen.isStanding), living, raw, screen, sent, timers, written };
}

describe('StartLine', () => {
  it('is rewritten in its place, without the keys that are typed meanwhile, and erased when the terminal is given back', () => {
    const { line, living, raw, written } = createTerminal();
    line.tell('Connecting');
    line.tell('Reading');
    expect([written, raw]).toEqual([[`${erased}Connecting`, `${erased}Reading`], [true]]);
    line.giveBack();
    line.giveBack();
    expect([written.slice(2), raw]).toEqual([[erased], [true, false]]);
    expect(living.eventNames()).toEqual([]);
    line.tell('Reading on');
    line.tell(null);
    expect(written.slice(3)).toEqual([`${erased}Reading on`, erased]);
  });

  it('is handed on to the board with what erases it, once, and the keys that were typed', () => {
    const { line, living, raw, timers, written } = createTerminal();
    expect(line.takeOver()).toBe('');
    line.tell('Reading');
    for (const callback of timers) callback();
    living.stdin.emit('data', Buffer.from('jq'));
    expect(line.takeOver()).toBe(erased);
    expect(line.takeOver()).toBe('');
    line.giveBack();
    expect([written, raw]).toEqual([[`${erased}Reading`], [true]]);
    expect(living.stdin.read()?.toString()).toBe('jq');
  });

  it('is taken away by Ctrl-C, which interrupts as ever', () => {
    const { line, living, raw, sent, timers, written } = createTerminal();
    line.tell('Reading');
    for (const callback of timers) callback();
    living.stdin.emit('data', Buffer.from('\u0003'));
    expect({ last: written.at(-1), raw: raw.at(-1), sent }).toEqual({ last: erased, raw: false, sent: ['SIGINT'] });
  });

  it('is not written while a frame stands, nor while a program has the terminal', async () => {
    const { line, screen, written } = createTerminal();
    screen.isStanding = true;
    line.tell('Reading');
    expect(written).toEqual([]);
    screen.isStanding = false;
    line.tell('Connecting');
    await line.aside(async () => line.tell('Reading'));
    expect(written).toEqual([`${erased}Connecting`, erased]);
    line.tell('Reading');
    expect(written.at(-1)).toBe(`${erased}Reading`);
  });

  it('goes without a terminal that takes nothing', () => {
    const { line, raw, screen } = createTerminal();
    screen.takesNothing = true;
    line.tell('Reading');
    expect(raw).toEqual([true, false]);
    expect(line.takeOver()).toBe('');
  });
});
