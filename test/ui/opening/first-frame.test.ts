import { setImmediate as othersTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { MonitorState } from '../../../src/polling/core/state.ts';
import type { BoardOptions } from '../../../src/ui/run-board.ts';
import type { Parcel, ParcelHistory } from '../../../src/watchlist/model/parcel.ts';
import { firstView, type KeptView } from '../../../src/watchlist/state/view-memory.ts';
import { aBoard, aCheckpoint, ago, aParcel, aPendingParcel, hour, inStatus } from '../../board/parcels.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeMonitor } from '../../support/fake-monitor.ts';
import { createScreen } from '../../support/screen.ts';
import { startBoard } from '../board-harness.ts';

/** What a terminal holds back until a frame is whole. */
const frameBegins = '\u001b[?2026h';

const sizes = [
  [40, 12],
  [60, 20],
  [80, 24],
  [100, 30],
  [120, 40],
  [160, 50],
  [250, 70],
] as const;

const looks: Readonly<Record<string, Partial<BoardOptions>>> = {
  'in colours': { hyperlinks: true },
  'without colours': { colour: false },
  'in ASCII': { glyphs: 'ascii', colour: false },
};

interface Start {
  readonly parcels: readonly Parcel[];
  readonly view?: Partial<KeptView>;
  readonly state?: Partial<MonitorState>;
  readonly board?: Partial<BoardOptions>;
  readonly histories?: Readonly<Record<string, ParcelHistory>>;
}

const polling = (parcels: readonly Parcel[]) => createFakeMonitor(parcels).getState().polling;

const archived = (parcel: Parcel): Parcel => ({ ...parcel, archivedAt: ago(hour) });

const many = Array.from({ length: 200 }, (_, n) =>
  inStatus(String(n), n % 3 === 0 ? 'DELIVERED' : 'IN_TRANSIT', null, n * hour),
);

const starts: Readonly<Record<string, Start>> = {
  'a list of many scripts and states, emoji among them': { parcels: aBoard() },
  'the events of the selected parcel': {
    parcels: [aParcel({ id: 'lamp', checkpointCount: 40 })],
    histories: {
      lamp: {
        version: 1,
        received: null,
        checkpoints: Array.from({ length: 40 }, (_, n) =>
          aCheckpoint({
            at: ago(n * 7 * hour),
            detail: n % 2 === 0 ? '航班已起飞，离开中国' : 'Arrived at the sorting centre',
          }),
        ),
      },
    },
  },
  'unread events': { parcels: [aParcel({ unread: { since: ago(hour), lastRead: null } })] },
  'an empty watchlist': { parcels: [] },
  'an empty archive': { parcels: aBoard(), view: { listed: 'archive' } },
  'an archive': { parcels: aBoard().map(archived), view: { listed: 'archive' } },
  'a filter': { parcels: aBoard(), view: { filter: 'dhl' } },
  'a filter that nothing matches': { parcels: aBoard(), view: { filter: 'nowhere to be found' } },
  'collapsed groups, a heading selected': {
    parcels: many,
    view: { collapsed: ['on-the-way', 'delivered', 'attention'], selectedId: '4' },
  },
  'another order, a parcel far down selected': {
    parcels: many,
    view: { order: 'name', isReversed: true, selectedId: '77', timeMode: 'utc' },
  },
  'the timeline alone': { parcels: aBoard(), view: { zoomedPane: 'timeline', selectedId: 'korea' } },
  'the list alone': { parcels: aBoard(), view: { zoomedPane: 'list' } },
  'long numbers and names': {
    parcels: [
      aPendingParcel({ trackNo: '1234567890'.repeat(5) }),
      aParcel({ id: 'long', label: 'A name that goes on and on, '.repeat(8), tags: ['one', 'two', 'three'] }),
    ],
  },
  notices: {
    parcels: aBoard(),
    state: { notices: ['The change log cannot be written. Is the disk full?', 'Another.'] },
  },
  'a problem in three lines': {
    parcels: aBoard(),
    state: {
      polling: {
        ...polling([]),
        phase: 'stopped',
        problem: {
          kind: 'key-refused',
          message: 'The service refuses the key. '.repeat(12),
          code: 'A0301',
          traceId: '0123456789abcdef',
        },
      },
    },
  },
  'a service that is not set up': {
    parcels: aBoard(),
    board: { setup: { kind: 'not-set-up', hasKey: false, baseUrl: null, configFile: '/config.json' } },
    state: { polling: { ...polling([]), phase: 'off' } },
  },
  'checks under way in a demonstration, silenced': {
    parcels: aBoard(),
    state: { checking: new Set(['lamp', 'korea']), polling: { ...polling([]), phase: 'checking', callsSent: 3 } },
    board: { badge: 'DEMO' },
  },
};

/** Every frame that a board draws from its start until it waits for a key. */
async function framesOf(start: Start, size: readonly [number, number], look: Partial<BoardOptions>) {
  const monitor = createFakeMonitor(start.parcels, start.histories);
  if (start.state !== undefined) monitor.set(start.state);
  const { screen, stop } = await startBoard([], {
    size,
    board: { ...look, ...start.board, monitor, view: { ...firstView, ...start.view } },
  });
  for (let turn = 0; turn < 10; turn += 1) await othersTurn();
  const frames = screen.writes().filter((write) => write.includes(frameBegins));
  await stop();
  return { frames, writes: screen.writes() };
}

/** Those that take most of a window get all sizes; of the others, three stand for all. */
const sizesFor = (name: string): readonly (readonly [number, number])[] =>
  name.startsWith('a list of many') || name.startsWith('the events')
    ? sizes
    : sizes.filter((_, at) => at % 2 === 0 && at < 6);

describe.each(Object.keys(starts))('the first frame of %s', (name) => {
  const start = starts[name];
  if (start === undefined) throw new Error(name);

  test('is what Ink draws, in windows of all sizes', async () => {
    for (const [index, size] of sizesFor(name).entries()) {
      const [, look] = Object.entries(looks)[index % 3] ?? [];
      const { frames, writes } = await framesOf(start, size, look ?? {});
      // What differs would be drawn again.
      expect({ size, again: frames.slice(1) }).toEqual({ size, again: [] });
      // It came before Ink.
      expect(writes[0]).toContain(frameBegins);
    }
  });
});

describe('before Ink is there', () => {
  test('the shell has the terminal when the program is suspended, and the frame comes again behind it', async () => {
    const told: string[] = [];
    let isFirst = true;
    const suspension = {
      request: () => undefined,
      subscribe(listener: (stopProcess: () => Promise<void>) => void) {
        if (isFirst) listener(async () => void told.push(screenNow()));
        isFirst = false;
        return () => undefined;
      },
    };
    let screenNow = (): string => '';
    const screen = createScreen(80, 24);
    screenNow = () => screen.writes().join('');
    const board = await startBoard(aBoard(), { size: [80, 24], board: { suspension }, screen });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/\u001b\[\?1049l\u001b\[\?25h$/);
    expect(board.screen.text()).toContain('Needs attention');
    const entered = board.screen.writes().join('').split('\u001b[?1049h');
    expect(entered).toHaveLength(3);
    await board.stop();
  });

  test('whoever leaves has the terminal back', async () => {
    const screen = createScreen(80, 24);
    const leaving = new AbortController();
    const exit = startBoard(aBoard(), { size: [80, 24], screen, board: { signal: leaving.signal } });
    exit.catch(() => undefined);
    await screen.waitForText('Needs attention');
    leaving.abort();
    await eventually(() => expect(screen.writes().join('')).toContain('\u001b[?1049l'));
    await eventually(() => expect(screen.stdin.rawMode).toBe(false));
  });

  test('another size of the window is drawn', async () => {
    const screen = createScreen(80, 24);
    const start = startBoard(aBoard(), { size: [80, 24], screen });
    await eventually(() => expect(screen.writes().length).toBeGreaterThan(0));
    screen.resize(100, 30);
    const board = await start;
    await board.screen.waitFor((text) => (text.split('\n').at(29) ?? '').includes('quit'), 'a footer in the last row');
    await board.stop();
  });
});

test('a window that is too small, and a conversation, are drawn by Ink', async () => {
  const { writes } = await framesOf({ parcels: aBoard() }, [39, 9], {});
  expect(writes[0]).not.toContain(frameBegins);
});
