import { describe, expect, test } from 'vitest';
import { firstView, type SavedView } from '../../../src/store/saved-view.ts';
import { aBoard } from '../../board/parcels.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

const up = '\u001b[A';
const down = '\u001b[B';

interface BoardWithSavedViews extends RunningBoard {
  readonly savedViews: Partial<SavedView>[];
}

async function start(
  entered: readonly string[] = ['RB100000005CN', 'LX100000002CN @yanwen'],
): Promise<BoardWithSavedViews> {
  const savedViews: Partial<SavedView>[] = [];
  const keepView = (changes: Partial<SavedView>): void => void savedViews.push(changes);
  const board = await startBoard(aBoard(), { board: { view: { ...firstView, entered }, keepView } });
  await board.screen.type('a').waitForText('add ▸ number');
  return { ...board, savedViews };
}

/** Waits until the input bar shows this text. */
const waitForBar = ({ screen }: RunningBoard, text: string): Promise<string> =>
  screen.waitFor((shown) => shown.split('\n').some((line) => line.trimEnd() === ` add ▸ ${text}`), text);

describe('the input bar', () => {
  test('recalls matching entries with the arrow keys, newest first, and then the typed text', async () => {
    const board = await start();
    const { screen } = board;
    screen.type('CN');
    screen.type(up);
    await waitForBar(board, 'LX100000002CN @yanwen');
    screen.type(up);
    await waitForBar(board, 'RB100000005CN');
    await screen.type(up).waitForText('There is no earlier entry with “CN”.');
    screen.type(down);
    await waitForBar(board, 'LX100000002CN @yanwen');
    screen.type(down);
    await waitForBar(board, 'CN');
  });

  test('searches its entries for the typed text, ignoring case', async () => {
    const board = await start();
    board.screen.type('rb1');
    board.screen.type('\u0012');
    await waitForBar(board, 'RB100000005CN');
    board.screen.type('\u001f');
    await waitForBar(board, 'rb1');
    await board.screen.type('9\u0010').waitForText('There is no entry with “rb19”.');
  });

  test('saves its entries for the next start: only the numbers with their couriers', async () => {
    const board = await start([]);
    const { savedViews, screen } = board;
    await screen.type(up).waitForText('You have not entered anything here yet.');
    await screen
      .type('YT2026000000000001 "10115 Berlin", YT2026000000000002 @yanwen\r')
      .waitForText('Added 2 numbers.');
    expect(savedViews.flatMap(({ entered }) => (entered === undefined ? [] : [entered]))).toEqual([
      ['YT2026000000000001, YT2026000000000002 @yanwen'],
    ]);
    screen.type('a');
    screen.type(up);
    await waitForBar(board, 'YT2026000000000001, YT2026000000000002 @yanwen');
  });

  test('does not save an entry without a number', async () => {
    const { savedViews, screen } = await start([]);
    await screen.type('10115 Berlin\r').waitForText('!');
    expect(savedViews.some(({ entered }) => entered !== undefined)).toBe(false);
  });
});
