import fs from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs as day, minuteMs as minute } from '../../src/lib/clock.ts';
import { pathMark } from '../../src/system/environment.ts';
import {
  type BoardStart,
  frameSequence,
  mayOpenBoard,
  readSavedScreen,
  type SavedScreen,
  type SavedScreenSource,
  savedScreenFile,
  savedScreenText,
  showSavedScreen,
  startFingerprint,
} from '../../src/system/saved-screen.ts';
import { restoreSequence } from '../../src/system/terminal.ts';
import { anyCharacter } from '../support/any-character.ts';
import { eventually } from '../support/eventually.ts';
import { forAll } from '../support/for-all.ts';
import { createTestFolder } from '../support/test-folder.ts';
import { createTestTerminal } from '../support/test-terminal.ts';

const keptAt = Date.parse('2026-11-21T19:31:00Z');

const start: BoardStart = {
  arguments: ['--ascii'],
  environment: {
    TERM: 'xterm-256color',
    PARCEL_MONITOR_BASE_URL: 'https://host/',
    PARCEL_MONITOR_API_KEY: 'secret-key',
  },
  version: '1.2.3',
  columns: 80,
  rows: 24,
};

const screen: SavedScreen = {
  rows: [' parcel-monitor as of 20:31', '\u001b[35m╭\u001b[39m\u001b[1m Parcels', '│ 联合包裹 é'],
  laterHeader: ' parcel-monitor as of Sat 21 Nov 20:31',
  keptAt,
  dayEndsAt: keptAt + 200 * minute,
  seen: [{ path: '/config.json', mark: '7-1-20' }],
};

/** Returns the frame of a saved screen `later` milliseconds after it was saved, or null if it is not shown. */
const shown = (
  kept: SavedScreen,
  {
    later = minute,
    fit = startFingerprint(start),
    mark = '7-1-20',
    text = savedScreenText(kept, startFingerprint(start)),
  } = {},
): readonly string[] | null => {
  try {
    return readSavedScreen(text, { fit, maxRows: 24, now: keptAt + later, markOf: () => mark });
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return null;
  }
};

describe('readSavedScreen', () => {
  it('is shown unchanged on the same day, and later with the day in its header', () => {
    expect(shown(screen)).toEqual(screen.rows);
    expect(shown(screen, { later: 199 * minute })).toEqual(screen.rows);
    expect(shown(screen, { later: 201 * minute })).toEqual([screen.laterHeader, ...screen.rows.slice(1)]);
  });

  it('is shown for a week, and not before it was saved', () => {
    expect(shown(screen, { later: 7 * day })).not.toBeNull();
    expect(shown(screen, { later: 7 * day + 1 })).toBeNull();
    expect(shown(screen, { later: -1 })).toBeNull();
  });

  it('is not shown with a different configuration or start', () => {
    expect(shown(screen, { mark: '7-2-20' })).toBeNull();
    const others: readonly Partial<BoardStart>[] = [
      { version: '1.2.4' },
      { columns: 81 },
      { rows: 25 },
      { arguments: [] },
      { arguments: ['--ascii', '--no-color'] },
      ...['NO_COLOR', 'LC_ALL', 'TZ', 'XDG_STATE_HOME', 'PARCEL_MONITOR_PROFILE', 'TMUX'].map((name) => ({
        environment: { ...start.environment, [name]: '1' },
      })),
      { environment: { TERM: 'xterm-256color', PARCEL_MONITOR_BASE_URL: 'https://host/' } },
      // In a database, a different key or user has different parcels.
      ...['PARCEL_MONITOR_API_KEY', 'PGUSER', 'USER'].map((name) => ({
        environment: { ...start.environment, [name]: 'another' },
      })),
    ];
    for (const other of others)
      expect(shown(screen, { fit: startFingerprint({ ...start, ...other }) }), JSON.stringify(other)).toBeNull();
  });

  it('is shown even if other variables or the multiplexer change', () => {
    const environment = { ...start.environment, PWD: '/tmp', SHLVL: '3' };
    expect(startFingerprint({ ...start, environment })).toBe(startFingerprint(start));
    const inside = (socket: string) =>
      startFingerprint({ ...start, environment: { ...start.environment, TMUX: socket } });
    expect(inside('/tmp/tmux-0/default,1,0')).toBe(inside('/tmp/tmux-0/default,2,1'));
    const at = (store: string) =>
      startFingerprint({ ...start, environment: { ...start.environment, PARCEL_MONITOR_STORE: store } });
    expect(at('postgres://ann:one@nas/parcels')).toBe(at('postgres://ann:other@nas/parcels'));
    expect(at('postgres://ann@nas/parcels')).not.toBe(at('postgres://ann@nas/others'));
  });

  it('contains nothing from the environment', () => {
    const text = savedScreenText(screen, startFingerprint(start));
    expect(text).not.toContain('secret-key');
    expect(text).not.toContain('host');
  });

  it('is not shown if the file is damaged', () => {
    const text = savedScreenText(screen, startFingerprint(start));
    forAll(fc.nat(text.length - 2), fc.string({ unit: anyCharacter, maxLength: 3 }), (at, other) => {
      const damaged = text.slice(0, at) + other + text.slice(at + 1);
      fc.pre(damaged !== text);
      expect(shown(screen, { text: damaged })).toBeNull();
    });
    for (const part of ['', '\n', text.slice(0, text.length / 2), `${text}${text}`]) {
      expect(shown(screen, { text: part })).toBeNull();
    }
  });

  it.each([
    ['a sequence that moves the cursor', '\u001b[2J'],
    ['a title', '\u001b]0;title\u0007'],
    ['a clipboard', '\u001b]52;c;eA==\u0007'],
    ['a link to a file', '\u001b]8;;file:///etc/passwd\u001b\\x\u001b]8;;\u001b\\'],
    ['a line break', 'one\ntwo'],
    ['an 8-bit control character', '\u009b2J'],
    ['a sequence inside a sequence', '\u001b\u001b[31m[2J'],
    ['a bidirectional override', '\u202eabc'],
  ])('is not shown with %s in a row', (_name, row) => {
    expect(shown({ ...screen, rows: ['header', row] })).toBeNull();
    expect(shown({ ...screen, laterHeader: row }, { later: day })).toBeNull();
  });

  it('may contain links to pages', () => {
    const rows = ['header', '\u001b]8;;https://host/a?b=1\u001b\\label\u001b]8;;\u001b\\'];
    expect(shown({ ...screen, rows })).toEqual(rows);
  });

  it('is not shown with too many rows, no rows or the wrong shape', () => {
    expect(shown({ ...screen, rows: Array.from({ length: 25 }, () => 'row') })).toBeNull();
    expect(shown({ ...screen, rows: [] })).toBeNull();
    for (const odd of [
      { rows: 'text' },
      { rows: ['header', 7] },
      { keptAt: null },
      { seen: null },
      { dayEndsAt: '1' },
    ]) {
      expect(shown({ ...screen, ...odd } as unknown as SavedScreen)).toBeNull();
    }
  });
});

it('the board opens if there are only options, but not with --demo', () => {
  for (const given of [[], ['--ascii'], ['--zone', 'utc'], ['--config=x', '--webhook', '1']]) {
    expect(mayOpenBoard(given), given.join(' ')).toBe(true);
  }
  for (const given of [
    ['list'],
    ['--demo'],
    ['--ascii', '--demo'],
    ['--help'],
    ['-h'],
    ['-V'],
    ['--zone', 'utc', '--version'],
    ['setup'],
    ['add', '--ascii'],
  ]) {
    expect(mayOpenBoard(given), given.join(' ')).toBe(false);
  }
});

it('a saved screen is written in one piece, without scrolling or wrapping', () => {
  const text = frameSequence(['one', 'two']);
  expect(text).toBe(
    '\u001b[?2026h\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[Hone\u001b[0m\r\ntwo\u001b[0m\u001b[?7h\u001b[?2026l',
  );
});

const rows = [' parcel-monitor   as of 20:31', '╭ Parcels'];

let home: string;
let config: string;
let file: string;
beforeEach(async () => {
  home = await createTestFolder();
  config = join(home, 'config.json');
  file = join(home, 'parcel-monitor', savedScreenFile);
  fs.mkdirSync(join(home, 'parcel-monitor'));
  fs.writeFileSync(config, '{}');
});

/** A process in an 80×24 terminal that can show a saved screen. */
function createBoardProcess({ environment = {}, ...place }: Parameters<typeof createTestTerminal>[0] = {}) {
  const owned = createTestTerminal({ ...place, environment: { TERM: 'xterm', XDG_STATE_HOME: home, ...environment } });
  const { files, source } = owned;
  const showing: SavedScreenSource = {
    currentProcess: source.currentProcess,
    files,
    now: keptAt + 60_000,
    version: '1.2.3',
    isTerminal: () => true,
  };
  return {
    ...owned,
    show: (other: Partial<SavedScreenSource> = {}) => showSavedScreen(owned.terminal, { ...showing, ...other }),
  };
}

/** Writes the screen that a board in the same terminal would have saved. */
function saveScreen({ living }: ReturnType<typeof createBoardProcess>): void {
  const { argv, env, stdout } = living;
  const fit = startFingerprint({ arguments: argv.slice(2), environment: env, version: '1.2.3', ...stdout });
  const seen = [{ path: config, mark: pathMark(fs.statSync(config)) }];
  const kept = { rows, laterHeader: 'later', keptAt, dayEndsAt: keptAt + 1e7, seen };
  fs.writeFileSync(file, savedScreenText(kept, fit), { mode: 0o600 });
}

/** A process in a terminal, with a saved screen. */
function withSavedScreen(place?: Parameters<typeof createBoardProcess>[0]) {
  const terminal = createBoardProcess(place);
  saveScreen(terminal);
  return {
    ...terminal,
    /** Replaces writes to the terminal. `write` returns the number of accepted bytes. */
    setWrite(write: (bytes: Uint8Array) => number): void {
      terminal.files.writeSync = ((_descriptor: number, bytes: Uint8Array) => write(bytes)) as typeof fs.writeSync;
    },
  };
}

const busy = () => Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });

describe('the saved screen', () => {
  it('is shown immediately, with echo off', () => {
    const terminal = withSavedScreen();
    terminal.show();
    expect(terminal.written).toEqual([frameSequence(rows)]);
    expect(terminal.happened).toEqual(['raw', 'written']);
    expect(terminal.terminal.isFrameShown).toBe(true);
  });

  it('restores echo if the terminal accepts no more output', () => {
    const terminal = withSavedScreen();
    let isFull = false;
    terminal.setWrite((text) => {
      if (isFull) throw busy();
      return text.length;
    });
    terminal.show();
    isFull = true;
    terminal.terminal.restore();
    expect(terminal.raw).toEqual([true, false]);
    expect(terminal.terminal.isFrameShown).toBe(false);
    // It was given some time to accept more.
    expect(terminal.pauses).toEqual(Array.from({ length: 200 }, () => 1));
  });

  it('is complete if the terminal accepts it in pieces', () => {
    const terminal = withSavedScreen();
    let [turn, taken] = [0, ''];
    terminal.setWrite((text) => {
      turn += 1;
      if (turn % 2 === 0) throw busy();
      const piece = text.subarray(0, 16);
      taken += Buffer.from(piece).toString('latin1');
      return piece.length;
    });
    terminal.show();
    expect(Buffer.from(taken, 'latin1').toString('utf8')).toBe(frameSequence(rows));
    expect(terminal.terminal.isFrameShown).toBe(true);
  });

  it('is removed when something else needs the terminal', () => {
    const terminal = withSavedScreen();
    terminal.show();
    terminal.terminal.restoreForOutput();
    terminal.terminal.restoreForOutput();
    expect(terminal.written.slice(1)).toEqual([restoreSequence]);
    expect(terminal.raw).toEqual([true, false]);
    expect(terminal.living.eventNames()).toEqual([]);
  });

  it.each([
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
    ['SIGHUP', 'SIGHUP'],
    ['SIGTSTP', 'SIGSTOP'],
  ])('is removed before %s takes effect', (signal, action) => {
    const terminal = withSavedScreen();
    terminal.show();
    terminal.living.emit(signal);
    expect(terminal.written.at(-1)).toBe(restoreSequence);
    expect(terminal.sent).toEqual([`${action} 42`]);
    expect(terminal.living.eventNames()).toEqual([]);
  });

  it('is removed by Ctrl+C when loading takes a long time, and puts other keys back', async () => {
    for (const key of ['\u0003', 'q']) {
      const terminal = withSavedScreen();
      terminal.show();
      const { stdin } = terminal.living;
      stdin.write('j');
      expect(stdin.readableFlowing).toBeNull();
      for (const callback of terminal.timers) callback();
      stdin.write(key);
      if (key === 'q') await eventually(() => expect(stdin.readableLength).toBe(0));
      else await eventually(() => expect(terminal.sent).toEqual(['SIGINT 42']));
      expect(terminal.terminal.isFrameShown).toBe(key === 'q');
      expect(terminal.sent).toHaveLength(key === 'q' ? 0 : 1);
      terminal.terminal.restore();
      expect(stdin.read()?.toString()).toBe(`j${key}`);
    }
  });

  it('leaves signals to the program once it listens, and is removed when it ends', () => {
    const terminal = withSavedScreen();
    terminal.show();
    terminal.living.on('SIGTERM', () => undefined);
    terminal.living.emit('SIGTERM');
    expect(terminal.sent).toEqual([]);
    expect(terminal.written).toHaveLength(1);
    terminal.living.emit('exit');
    expect(terminal.written.at(-1)).toBe(restoreSequence);
  });

  it.each<[string, () => void]>([
    ['there is none', () => fs.rmSync(file)],
    ['it is cut off', () => fs.truncateSync(file, 100)],
    ['others can write to it', () => fs.chmodSync(file, 0o666)],
    [
      'it is a link',
      () => {
        fs.renameSync(file, `${file}.other`);
        fs.symlinkSync(`${file}.other`, file);
      },
    ],
    [
      'it is a folder',
      () => {
        fs.rmSync(file);
        fs.mkdirSync(file);
      },
    ],
    ['the configuration has changed', () => fs.writeFileSync(config, '{"zone":"utc"}')],
    ['the configuration is gone', () => fs.rmSync(config)],
  ])('is not shown if %s', (_name, change) => {
    const terminal = withSavedScreen();
    change();
    terminal.show();
    expect(terminal.written).toEqual([]);
    expect(terminal.living.eventNames()).toEqual([]);
  });

  it.each<[string, Parameters<typeof createBoardProcess>[0], Partial<SavedScreenSource>]>([
    ['a command runs', { argv: ['list'] }, {}],
    ['the demo runs', { argv: ['--demo'] }, {}],
    ['the terminal only prints', { environment: { TERM: 'dumb' } }, {}],
    ['the system is Windows', { platform: 'win32', environment: { LOCALAPPDATA: '/' } }, {}],
    ['there is no terminal', {}, { isTerminal: () => false }],
    ['only one end is a terminal', {}, { isTerminal: (descriptor) => descriptor === 1 }],
    ['the program has a different version', {}, { version: '1.2.4' }],
  ])('is not shown if %s', (_name, place, other) => {
    const terminal = withSavedScreen(place);
    terminal.show(other);
    expect(terminal.written).toEqual([]);
  });

  it('restores a terminal that accepts only part of it', () => {
    const terminal = withSavedScreen();
    let isFull = false;
    terminal.setWrite((text) => {
      terminal.written.push(String(text));
      if (isFull) throw busy();
      isFull = true;
      return 5;
    });
    terminal.show();
    expect(terminal.written.at(-1)).toBe(restoreSequence);
    expect(terminal.living.eventNames()).toEqual([]);
  });
});
