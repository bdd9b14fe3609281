import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BoardStart,
  fitOf,
  type KeptScreen,
  keptScreenText,
  mayOpenBoard,
  readKeptScreen,
  showingSequence,
} from '../../src/system/cached-screen.ts';
import { anyCharacter } from '../support/any-character.ts';

const keptAt = Date.parse('2026-11-21T19:31:00Z');
const minute = 60_000;
const day = 24 * 60 * minute;

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

const screen: KeptScreen = {
  rows: [' parcel-monitor as of 20:31', '\u001b[35m╭\u001b[39m\u001b[1m Parcels', '│ 联合包裹 é'],
  laterHeader: ' parcel-monitor as of Sat 21 Nov 20:31',
  keptAt,
  dayEndsAt: keptAt + 200 * minute,
  seen: [{ path: '/config.json', mark: '7-1-20' }],
};

/** What is shown of a screen `later` milliseconds later. */
const shown = (
  kept: KeptScreen,
  { later = minute, fit = fitOf(start), mark = '7-1-20', text = keptScreenText(kept, fitOf(start)) } = {},
): readonly string[] | null => {
  try {
    return readKeptScreen(text, { fit, mostRows: 24, now: keptAt + later, markOf: () => mark });
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return null;
  }
};

describe('a kept screen', () => {
  it('is shown as it was, with the time of day as long as the day lasts, and then with the day', () => {
    expect(shown(screen)).toEqual(screen.rows);
    expect(shown(screen, { later: 199 * minute })).toEqual(screen.rows);
    expect(shown(screen, { later: 201 * minute })).toEqual([screen.laterHeader, ...screen.rows.slice(1)]);
  });

  it('is shown for a week, and never before its time', () => {
    expect(shown(screen, { later: 7 * day })).not.toBeNull();
    expect(shown(screen, { later: 7 * day + 1 })).toBeNull();
    expect(shown(screen, { later: -1 })).toBeNull();
  });

  it('is not shown when configuration or start are others', () => {
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
      // In a database, another key or user has other parcels.
      ...['PARCEL_MONITOR_API_KEY', 'PGUSER', 'USER'].map((name) => ({
        environment: { ...start.environment, [name]: 'another' },
      })),
    ];
    for (const other of others)
      expect(shown(screen, { fit: fitOf({ ...start, ...other }) }), JSON.stringify(other)).toBeNull();
  });

  it('is shown whatever else the environment holds, and whichever multiplexer there is', () => {
    const environment = { ...start.environment, PWD: '/tmp', SHLVL: '3' };
    expect(fitOf({ ...start, environment })).toBe(fitOf(start));
    const inside = (socket: string) => fitOf({ ...start, environment: { ...start.environment, TMUX: socket } });
    expect(inside('/tmp/tmux-0/default,1,0')).toBe(inside('/tmp/tmux-0/default,2,1'));
    const at = (store: string) =>
      fitOf({ ...start, environment: { ...start.environment, PARCEL_MONITOR_STORE: store } });
    expect(at('postgres://ann:one@nas/parcels')).toBe(at('postgres://ann:other@nas/parcels'));
    expect(at('postgres://ann@nas/parcels')).not.toBe(at('postgres://ann@nas/others'));
  });

  it('holds nothing of the environment', () => {
    const text = keptScreenText(screen, fitOf(start));
    expect(text).not.toContain('secret-key');
    expect(text).not.toContain('host');
  });

  it('is not shown when anything of the file is damaged', () => {
    const text = keptScreenText(screen, fitOf(start));
    fc.assert(
      fc.property(fc.nat(text.length - 2), fc.string({ unit: anyCharacter, maxLength: 3 }), (at, other) => {
        const damaged = text.slice(0, at) + other + text.slice(at + 1);
        fc.pre(damaged !== text);
        expect(shown(screen, { text: damaged })).toBeNull();
      }),
    );
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
    ['a control of 8 bits', '\u009b2J'],
    ['a sequence inside a sequence', '\u001b\u001b[31m[2J'],
    ['a bidirectional override', '\u202eabc'],
  ])('is not shown with %s in a row', (_name, row) => {
    expect(shown({ ...screen, rows: ['header', row] })).toBeNull();
    expect(shown({ ...screen, laterHeader: row }, { later: day })).toBeNull();
  });

  it('may hold links to pages', () => {
    const rows = ['header', '\u001b]8;;https://host/a?b=1\u001b\\label\u001b]8;;\u001b\\'];
    expect(shown({ ...screen, rows })).toEqual(rows);
  });

  it('is not shown with more rows than the terminal has, nor with none, nor in another shape', () => {
    expect(shown({ ...screen, rows: Array.from({ length: 25 }, () => 'row') })).toBeNull();
    expect(shown({ ...screen, rows: [] })).toBeNull();
    for (const odd of [
      { rows: 'text' },
      { rows: ['header', 7] },
      { keptAt: null },
      { seen: null },
      { dayEndsAt: '1' },
    ]) {
      expect(shown({ ...screen, ...odd } as unknown as KeptScreen)).toBeNull();
    }
  });
});

it('only options open the board, and never those of the demonstration', () => {
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

it('is written in one piece that neither scrolls nor wraps', () => {
  const text = showingSequence(['one', 'two']);
  expect(text).toBe(
    '\u001b[?2026h\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[Hone\u001b[0m\r\ntwo\u001b[0m\u001b[?7h\u001b[?2026l',
  );
});
