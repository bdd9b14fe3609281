import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { frameSequence } from '../../src/system/saved-screen.ts';
import { restoreSequence } from '../../src/system/terminal.ts';
import { createTestTerminal } from '../support/test-terminal.ts';

const erased = '\r\u001b[K';
const rows = [' parcel-monitor   as of 20:31', '╭ Parcels', ' ⏎ timeline'];

/** A board on a terminal, with a record of its output and events. */
function withBoard({ hasTitle = true, waiting = 0 } = {}) {
  const owned = createTestTerminal();
  const later: string[] = [];
  const events: string[] = [];
  let onRead = (): void => undefined;
  const stdout = {
    write(text: string, callback = (): void => undefined) {
      if (text !== '') owned.written.push(text);
      if (stdout.writableLength === 0) callback();
      else onRead = callback;
    },
    writableLength: waiting,
  };
  const resumeReading = (): void => {
    stdout.writableLength = 0;
    onRead();
  };
  const open = (): void => {
    owned.terminal.open({
      stdin: {
        setRawMode: (isRaw) => void owned.raw.push(isRaw),
        pause: () => void events.push('keys away'),
        resume: () => void events.push('keys back'),
      },
      stdout,
      writeLater: (text) => void later.push(text, owned.raw.at(-1) === true ? 'raw before' : 'not raw before'),
      passInterruptsOn: () => {
        events.push('Ctrl+C left');
        return () => void events.push('Ctrl+C back');
      },
      hasTitle,
    });
    owned.terminal.suspendWith(async (work) => {
      events.push('Ink lets go');
      await work();
      events.push('Ink draws');
    });
  };
  return { ...owned, events, later, open, resumeReading, stdout };
}

describe('the progress line during the start', () => {
  it('is rewritten in place without typed keys, and erased when the terminal is restored', () => {
    const { living, raw, terminal, written } = createTestTerminal();
    terminal.showProgress('Connecting');
    terminal.showProgress('Reading');
    expect([written, raw]).toEqual([[`${erased}Connecting`, `${erased}Reading`], [true]]);
    terminal.restoreForOutput();
    terminal.restore();
    expect([written.slice(2), raw]).toEqual([[erased], [true, false]]);
    expect(living.eventNames()).toEqual([]);
    terminal.showProgress('Reading on');
    terminal.showProgress(null);
    expect(written.slice(3)).toEqual([`${erased}Reading on`, erased]);
  });

  it('stays until the board enters its screen, and passes on the typed keys', () => {
    const { living, open, terminal, timers, written } = withBoard();
    terminal.showProgress('Reading');
    for (const callback of timers) callback();
    living.stdin.emit('data', Buffer.from('jq'));
    open();
    expect(living.stdin.read()?.toString()).toBe('jq');
    terminal.showProgress('Sorting');
    terminal.restoreForOutput();
    expect(written).toEqual([`${erased}Reading`]);
    terminal.enter();
    expect(written.at(-1)).toBe(`${erased}\u001b[?1049h\u001b[0m\u001b[H\u001b[?25l\u001b[?2004h\u001b[?1004h`);
    terminal.restore();
    expect(written.at(-1)).toBe(restoreSequence);
  });

  it('is removed by Ctrl+C, which interrupts the program', () => {
    const { living, raw, sent, terminal, timers, written } = createTestTerminal();
    terminal.showProgress('Reading');
    for (const callback of timers) callback();
    living.stdin.emit('data', Buffer.from('\u0003'));
    expect({ last: written.at(-1), raw: raw.at(-1), sent }).toEqual({ last: erased, raw: false, sent: ['SIGINT 42'] });
  });

  it('is shown in the last row of a saved screen', () => {
    const { terminal, written } = createTestTerminal();
    terminal.showFrame(rows);
    terminal.showProgress('Reading the watchlist: 40,000 of 100,000 parcels');
    terminal.showProgress(null);
    expect(written).toEqual([
      frameSequence(rows),
      '\u001b[3;1H\u001b[0m\u001b[2K Reading the watchlist: 40,000 of 100,000 parcels',
    ]);
    expect(terminal.isFrameShown).toBe(true);
  });

  it('is not written before the last of several programs has ended', async () => {
    const { terminal, written } = createTestTerminal();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const both = [first, second].map(({ promise }) => terminal.runOutsideBoard(() => promise));
    first.resolve();
    await both[0];
    terminal.showProgress('Reading');
    expect(written).toEqual([]);
    second.resolve();
    await both[1];
    terminal.showProgress('Reading');
    expect(written).toEqual([`${erased}Reading`]);
  });

  it('is left out if the terminal accepts nothing', () => {
    const { files, raw, terminal } = createTestTerminal();
    files.writeSync = () => {
      throw new Error('This terminal accepts nothing.');
    };
    terminal.showProgress('Reading');
    expect(raw).toEqual([true, false]);
    expect(terminal.isOurs).toBe(false);
  });
});

describe('a board', () => {
  it('takes over a saved screen without entering or clearing the screen', () => {
    const { open, terminal, written } = withBoard();
    terminal.showFrame(rows);
    open();
    terminal.enter();
    expect(written.slice(1)).toEqual(['\u001b[?25l\u001b[?2004h\u001b[?1004h']);
  });

  it.each(['exit', 'SIGTERM', 'uncaughtExceptionMonitor'])('restores the terminal once, at %s', (end) => {
    const { living, open, raw, terminal, written } = withBoard();
    open();
    terminal.enter();
    living.emit(end);
    terminal.restore();
    terminal.write('a late frame');
    expect(written.slice(1)).toEqual([restoreSequence]);
    expect(raw).toEqual([true, false]);
    expect(living.eventNames()).toEqual([]);
  });

  it('returns after a stop signal that arrives before the board can be suspended', () => {
    const { living, open, raw, sent, terminal, written } = withBoard();
    terminal.showFrame(rows);
    open();
    living.emit('SIGTSTP');
    expect([sent, written.slice(1)]).toEqual([['SIGSTOP 42'], [restoreSequence]]);
    terminal.enter();
    expect(written.at(-1)).toBe('\u001b[?1049h\u001b[0m\u001b[H\u001b[?25l\u001b[?2004h\u001b[?1004h');
    expect(raw).toEqual([true, true, false, true]);
    living.emit('exit');
    expect([written.at(-1), raw.at(-1)]).toEqual([restoreSequence, false]);
  });

  it('restores the terminal before other listeners end the process on a signal', () => {
    const { living, open, sent, terminal, written } = withBoard();
    open();
    terminal.enter();
    living.on('SIGQUIT', () => terminal.write('a last frame'));
    living.emit('SIGQUIT');
    expect([written.slice(1), sent]).toEqual([[restoreSequence], []]);
  });

  it('leaves signals and errors to the program once it listens', () => {
    const { living, open, sent, terminal, written } = withBoard();
    open();
    terminal.enter();
    for (const name of ['SIGTERM', 'uncaughtException']) living.on(name, () => undefined);
    living.emit('SIGTERM');
    living.emit('uncaughtExceptionMonitor');
    expect([written.length, sent]).toEqual([1, []]);
  });

  it('restores a frozen terminal as soon as it continues, after cancelling a partial sequence', () => {
    const { later, open, raw, stdout, terminal, written } = withBoard();
    open();
    terminal.enter();
    stdout.writableLength = 1;
    terminal.restore();
    expect(written).toHaveLength(1);
    // The terminal mode cannot be changed while a write is pending.
    expect(later).toEqual([`\u0018${restoreSequence}`, 'not raw before']);
    expect(raw.at(-1)).toBe(false);
  });

  it('restores a slow terminal after its last frame, and waits for a frozen one only for a while', async () => {
    const slow = withBoard();
    slow.open();
    slow.terminal.enter();
    slow.stdout.writableLength = 1;
    const settled = slow.terminal.whenSettled();
    await turn();
    slow.resumeReading();
    await settled;
    slow.terminal.restore();
    expect([slow.later, slow.written.at(-1)]).toEqual([[], restoreSequence]);

    const frozen = withBoard();
    frozen.open();
    frozen.terminal.enter();
    frozen.stdout.writableLength = 1;
    const waited = frozen.terminal.whenSettled();
    await turn();
    for (const callback of frozen.timers) callback();
    await waited;
    frozen.terminal.restore();
    expect(frozen.later).toContain(`\u0018${restoreSequence}`);
  });

  it('leaves its screen to the shell, and returns with its title, bracketed paste and focus reports', async () => {
    const { events, open, terminal, written } = withBoard();
    open();
    terminal.enter();
    terminal.showTitle('a');
    const mark = written.length;
    await terminal.suspend(async () => {
      expect(terminal.isOurs).toBe(false);
      terminal.write('a frame of Ink');
      terminal.showTitle('b');
      // Ctrl+Z also stops the program that has the terminal.
      await terminal.suspend(async () => void events.push('stopped again'));
      events.push('stopped');
    });
    expect(written.slice(mark)).toEqual([
      `${restoreSequence}\u001b[23;0t`,
      '\u001b[?1049h\u001b[0m\u001b[H\u001b[?25l\u001b[?2004h\u001b[?1004h\u001b[22;0t\u001b]0;b\u001b\\',
    ]);
    expect(events).toEqual(['Ink lets go', 'keys away', 'stopped again', 'stopped', 'keys back', 'Ink draws']);
  });

  it('does not return when the process ends while a program has the terminal', async () => {
    const { living, open, terminal, written } = withBoard();
    open();
    terminal.enter();
    await terminal.borrow('asks\n', async () => void living.emit('exit'));
    expect(written.slice(1)).toEqual([`${restoreSequence}asks\n`]);
  });

  it('lends the terminal to one program at a time, and passes on their errors', async () => {
    const { events, open, terminal } = withBoard();
    open();
    terminal.enter();
    const both = [1, 2].map((number) =>
      terminal.borrow('asks\n', async () => {
        events.push(`${number} begins`);
        await turn();
        if (number === 2) throw new Error('It failed.');
        return number;
      }),
    );
    const outcomes = await Promise.allSettled(both);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    const once = (number: number) => [
      ...['Ctrl+C left', 'Ink lets go', 'keys away', `${number} begins`, 'keys back', 'Ink draws', 'Ctrl+C back'],
    ];
    expect(events).toEqual([...once(1), ...once(2)]);
  });
});

describe('the title', () => {
  const afterTitles = (...titles: readonly (string | null)[]) => {
    const { open, terminal, written } = withBoard();
    open();
    terminal.enter();
    for (const title of titles) terminal.showTitle(title);
    return { terminal, titles: written.slice(1), written };
  };

  it('is saved before the first title is set, and written only when it changes', () => {
    expect(afterTitles('a', 'a', 'b').titles).toEqual(['\u001b[22;0t\u001b]0;a\u001b\\', '\u001b]0;b\u001b\\']);
  });

  it('is restored once, and only after it was set', () => {
    const { terminal, written } = afterTitles('a');
    terminal.restore();
    terminal.restore();
    expect(written.slice(2)).toEqual([`${restoreSequence}\u001b[23;0t`]);
  });

  it('is restored as soon as it is switched off', () => {
    expect(afterTitles('a', null, null, 'b').titles.slice(1)).toEqual([
      '\u001b[23;0t',
      '\u001b[22;0t\u001b]0;b\u001b\\',
    ]);
  });

  it('does nothing without a title', () => {
    const { open, terminal, written } = withBoard({ hasTitle: false });
    open();
    terminal.enter();
    terminal.showTitle('a');
    expect(written).toHaveLength(1);
  });
});

describe('the mouse', () => {
  const [on, off] = ['\u001b[?1000h\u001b[?1006h', '\u001b[?1006l\u001b[?1000l'];

  it('is reported only while the board has the terminal', async () => {
    const { open, terminal, written } = withBoard();
    terminal.reportMouse(true);
    open();
    expect(written).toEqual([]);
    terminal.enter();
    expect(written.at(-1)?.endsWith(on)).toBe(true);
    await terminal.borrow('', async () => {
      expect(written.at(-1)).toBe(`${off}${restoreSequence}`);
      terminal.reportMouse(true);
    });
    expect(written.at(-1)).toContain(on);
    terminal.reportMouse(false);
    expect(written.at(-1)).toBe(off);
    terminal.reportMouse(true);
    terminal.restore();
    expect(written.at(-1)).toBe(`${off}${restoreSequence}`);
  });
});

describe('a query sent to the terminal', () => {
  const withPendingQuery = () => {
    const board = withBoard();
    board.terminal.queryBackground();
    board.open();
    board.terminal.enter();
    const timers = [...board.timers];
    return { ...board, elapse: () => timers.forEach((callback) => void callback()) };
  };

  it.each(['is answered', 'times out'] as const)('delays lending the terminal until it %s', async (how) => {
    const { elapse, events, terminal } = withPendingQuery();
    const loan = terminal.borrow('', async () => void events.push('work'));
    await turn();
    expect(events).not.toContain('work');
    if (how === 'is answered') terminal.finishQueries();
    else elapse();
    await loan;
    expect(events).toContain('work');
    await terminal.whenSettled();
  });
});
