import { expect, test } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { firstView } from '../../src/store/saved-view.ts';
import type { Frame, LastScreen } from '../../src/system/saved-screen.ts';
import { aBoard } from '../board/parcels.ts';
import type { Screen } from '../support/screen.ts';
import { startBoard } from './board-harness.ts';

/** Uses a board, stops it, and returns the screen that it saved (or null) and the one that it showed. */
async function screenAfter(
  use: (screen: Screen) => Promise<unknown> | undefined,
  { size = [120, 30] as readonly [number, number], parcels = aBoard() as readonly Parcel[], board = {} } = {},
) {
  const screens: LastScreen[] = [];
  const keepScreen = (screen: LastScreen): void => void screens.push(screen);
  const running = await startBoard(parcels, { size, board: { keepScreen, ...board } });
  await use(running.screen);
  const shown = running.screen.text().split('\n');
  const exit = await running.stop();
  expect(exit.reason).toBe('stopped');
  return { saved: screens.at(-1) ?? null, shown };
}

const plain = (row: string): string => row.replaceAll(/\u001b\[[\d;]*m/g, '');
const textOf = ({ rows }: Frame): readonly string[] => rows.map((row) => plain(row).trimEnd());

test('a board saves its rows when it ends, with their time in the header', async () => {
  // The selected parcel's history is read after the first frame.
  const { saved, shown } = await screenAfter((screen) => screen.waitForText('No events yet.'));
  expect(saved).toMatchObject({ columns: 120, rows: 30 });
  const frame = saved?.frame as Frame;
  const [header = '', ...below] = textOf(frame);
  expect(below).toEqual(shown.slice(1).map((row) => row.trimEnd()));
  expect(header).toMatch(/^ parcel-monitor {3}! 3 attention .* as of 13:42$/);
  expect(plain(frame.laterHeader).trimEnd()).toMatch(/^ parcel-monitor {3}! 3 attention .* as of 21 Nov 13:42$/);
  // Midnight in Berlin.
  expect(new Date(frame.dayEndsAt).toISOString()).toBe('2026-11-21T23:00:00.000Z');
});

test.each<{ readonly size: readonly [number, number] }>([{ size: [84, 24] }, { size: [40, 12] }])(
  'the saved header shows its time in a window of $size',
  async ({ size }) => {
    const { saved } = await screenAfter((screen) => screen.waitFor((text) => / ! 3 (?:need )?attention /.test(text)), {
      size,
    });
    const frame = saved?.frame as Frame;
    expect(frame.rows).toHaveLength(size[1]);
    for (const header of [frame.rows[0] ?? '', frame.laterHeader]) {
      expect(plain(header).length).toBeLessThanOrEqual(size[0]);
      expect(plain(header)).toContain('as of ');
    }
  },
);

test('transient messages are not saved', async () => {
  const { saved } = await screenAfter((screen) => {
    screen.type('x');
    return screen.waitForText('Press u to undo.');
  });
  const rows = textOf(saved?.frame as Frame);
  expect(rows).toHaveLength(30);
  expect(rows.join('\n')).not.toContain('Press u');
  expect(rows.at(-1)).toMatch(/^ ⏎ timeline .* q quit$/);
});

test('the saved rows use ASCII and no colours if the board does', async () => {
  const board = { glyphs: 'ascii', colour: false } as const;
  const { saved } = await screenAfter((screen) => screen.waitForText('quit'), { board });
  const rows = saved?.frame.rows.join('\n') ?? '';
  expect(rows).not.toMatch(/[▲▸·│╭]/);
  expect(rows).not.toContain('\u001b[31m');
});

test.each([
  ['the help', '?', 'Parcel list'],
  ['the details', 'D', 'Service clock'],
  ['the news', 'n', 'News'],
  ['a prompt', 'e', 'label'],
  ['the orders', 's', 'Order'],
  ['the courier picker', 'ab@', '⏎ choose'],
  ['a number that is being entered', 'aRB1', 'add ▸ RB1'],
  ['a filter that is being typed', '/dh', 'filter ▸ dh'],
])('nothing is saved with %s on the screen', async (_name, keys, shown) => {
  const { saved } = await screenAfter((screen) => {
    screen.type(keys);
    return screen.waitForText(shown);
  });
  expect(saved).toBeNull();
});

test('nothing is saved from a window that is too small, or from the demo', async () => {
  expect((await screenAfter(() => undefined, { size: [30, 8] })).saved).toBeNull();
  expect((await screenAfter(() => undefined, { board: { badge: 'DEMO' } })).saved).toBeNull();
});

test('an applied filter is saved', async () => {
  const view = { ...firstView, filter: 'dhl' };
  const { saved } = await screenAfter((screen) => screen.waitForText('“dhl”'), { board: { view } });
  expect(textOf(saved?.frame as Frame).join('\n')).toContain('“dhl”');
});
