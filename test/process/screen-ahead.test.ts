import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TerminalSource } from '../../src/process/hold-terminal.ts';
import { ScreenAhead } from '../../src/process/screen-ahead.ts';

const size = { columns: 80, rows: 24 };

/** A terminal, and a screen on it. */
function createScreen(): { readonly ahead: ScreenAhead; readonly terminal: { takesNothing: boolean } } {
  const terminal = { takesNothing: false };
  const living = Object.assign(new EventEmitter(), { stdin: { setRawMode: () => undefined }, stdout: size });
  const source: TerminalSource = {
    living: living as unknown as TerminalSource['living'],
    files: {
      ...fs,
      writeSync: ((_descriptor: number, text: Uint8Array) => {
        if (terminal.takesNothing) throw new Error('This terminal takes nothing.');
        return text.length;
      }) as typeof fs.writeSync,
    },
    setTimer: () => () => undefined,
    pause: () => undefined,
  };
  return { ahead: new ScreenAhead(source), terminal };
}

describe('ScreenAhead', () => {
  it('draws in the place of what the launcher has shown', () => {
    const { ahead } = createScreen();
    ahead.begin(['kept']);
    ahead.draw(['live'], size);
    expect(ahead.takeOver()).toEqual(['live']);
    expect(ahead.isStanding).toBe(false);
  });

  it('tells the size of the window that it drew for, and of none that the launcher did', () => {
    const { ahead } = createScreen();
    ahead.begin(['kept']);
    expect(ahead.drawnIn).toBeNull();
    ahead.draw(['live'], size);
    expect(ahead.drawnIn).toEqual(size);
  });

  it('begins where nothing stands, also where the terminal was given back meanwhile', () => {
    for (const kept of [[], [['kept']]]) {
      const { ahead } = createScreen();
      for (const rows of kept) ahead.begin(rows);
      ahead.giveBack();
      expect(ahead.isStanding).toBe(false);
      ahead.draw(['live'], size);
      expect(ahead.isStanding).toBe(true);
      expect(ahead.takeOver()).toEqual(['live']);
    }
  });

  it('goes without a terminal that takes nothing', () => {
    const { ahead, terminal } = createScreen();
    terminal.takesNothing = true;
    ahead.draw(['live'], size);
    expect(ahead.isStanding).toBe(false);
    expect(ahead.takeOver()).toBeNull();
  });
});
