import { describe, expect, test } from 'vitest';
import { aBoard, aParcel } from '../../board/parcels.ts';
import { eventually } from '../../support/eventually.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

const undo = '\u001f';
const parcels = [
  ...aBoard(),
  aParcel({ id: 'socks', trackNo: 'YT2026000000000001', label: 'Blue socks', tags: ['gift'] }),
  aParcel({ id: 'hat', trackNo: 'YT2026000000000002', label: 'Blue hat', tags: ['gift', 'warm'] }),
];

async function start(key: string, name: string): Promise<RunningBoard> {
  const board = await startBoard(parcels);
  await board.screen.waitForText('Headphones');
  await board.screen.type(key).waitForText(`${name} ▸`);
  return board;
}

/** Waits until the line below the panes shows this text. */
const waitForBar = ({ screen }: RunningBoard, text: string): Promise<string> =>
  screen.waitFor((shown) => shown.split('\n').some((line) => line.trimEnd() === ` ${text}`), text);

describe('Tab in the input bar', () => {
  test('cycles through the matches as one undo step', async () => {
    const board = await start('a', 'add');
    const { screen } = board;
    screen.type('yt');
    screen.type('\t');
    await waitForBar(board, 'add ▸ YT2026000000000001');
    expect(screen.text()).toContain('1 of 2; Tab: YT2026000000000002');
    screen.type('\t');
    await waitForBar(board, 'add ▸ YT2026000000000002');
    screen.type('\t');
    await waitForBar(board, 'add ▸ YT2026000000000001');
    screen.type(undo);
    await waitForBar(board, 'add ▸ yt');
  });

  test('puts a label in quotes after the number, and completes the only matching courier', async () => {
    const board = await start('a', 'add');
    const { screen } = board;
    screen.type('RB1 blue s');
    screen.type('\t');
    await waitForBar(board, 'add ▸ RB1 "Blue socks"');
    await screen.type(' @').waitForText('search ');
    screen.type('ya\u001b');
    await waitForBar(board, 'add ▸ RB1 "Blue socks" @ya');
    screen.type('\t');
    await waitForBar(board, 'add ▸ RB1 "Blue socks" @yanwen');
    await screen.type('\u007f\t').waitForText('⏎ timeline');
  });

  test('opens the picker if several couriers match, with the cursor after the typed text', async () => {
    const { screen } = await start('a', 'add');
    await screen.type('RB1 @x\u001b').waitForText('add ▸ RB1 @x');
    await screen.type('\t').waitForText('search x');
    await eventually(() => expect(screen.cursor()).toEqual({ row: 18, column: 10 }));
    await screen.type('\u001b').waitForText('add ▸ RB1 @x');
  });

  test('goes to the next pane if nothing can be completed', async () => {
    const { screen } = await start('a', 'add');
    await screen.type('\t').waitForText('press a:');
  });
});

test.each([
  ['the filter', '/', 'filter', 'tag:w', 'filter ▸ tag:warm'],
  ['a label', 'e', 'label of LX123456789CN', 'blue h', 'label of LX123456789CN ▸ Blue hat'],
  ['tags', '#', 'tags of LX123456789CN', 'a, w', 'tags of LX123456789CN ▸ a, warm'],
])('Tab completes %s', async (_name, key, name, typed, expected) => {
  const board = await start(key, name);
  board.screen.type(typed);
  board.screen.type('\t');
  await waitForBar(board, expected);
  await board.screen.type('x\t').waitForText('Nothing to complete.');
});
