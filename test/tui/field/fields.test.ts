import { describe, expect, test } from 'vitest';
import { aBoard } from '../../board/parcels.ts';
import { eventually } from '../../support/eventually.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

const altD = '\u001bd';
const altB = '\u001bb';
const ctrl = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 0x60);
const undo = '\u001f';

async function start(): Promise<RunningBoard> {
  const board = await startBoard(aBoard());
  await board.screen.waitForText('Headphones');
  return board;
}

/** Waits until the line below the panes shows this text. */
const waitForBar = ({ screen }: RunningBoard, text: string): Promise<string> =>
  screen.waitFor((shown) => shown.split('\n').some((line) => line.trimEnd() === ` ${text}`), text);

describe('all fields', () => {
  test('share the last cut', async () => {
    const board = await start();
    const { screen } = board;
    screen.type('/lamp yanwen');
    screen.type(ctrl('w'));
    await waitForBar(board, 'filter ▸ lamp');
    await screen.type('\u001b').waitForText('press a:');
    await screen.type('a').waitForText('add ▸ number');
    screen.type(`RB1 ${ctrl('y')}`);
    await waitForBar(board, 'add ▸ RB1 yanwen');
  });

  test.each([
    ['the filter', '/', 'filter ▸'],
    ['the input bar', 'a', 'add ▸'],
    ['a prompt', 'e', 'label of LX123456789CN ▸'],
    ['the help search', '?', 'search'],
    ['the picker search', 'c', 'search'],
  ])('edit by words and undo: %s', async (_name, key, name) => {
    const board = await start();
    const { screen } = board;
    await screen.type(key).waitForText(name);
    screen.type(ctrl('u'));
    screen.type('one');
    screen.type(' ');
    await screen.type('two').waitForText(`${name} one two`);
    await screen.type(`${altB}${altD}x`).waitForText(`${name} one x`);
    screen.type(undo);
    await screen.type(undo).waitForText(`${name} one two`);
  });

  test('refuse characters that would not be saved', async () => {
    const board = await start();
    const { screen } = board;
    await screen.type('a').waitForText('add ▸ number');
    for (const typed of ['R', '\u202e', 'B', ' ', '"', '❤\ufe0f', '耳']) screen.type(typed);
    await waitForBar(board, 'add ▸ RB "❤耳');
    await eventually(() => expect(screen.cursor()).toEqual({ row: 28, column: 14 }));
  });

  test('do not change Escape and a letter outside text fields', async () => {
    const { screen } = await start();
    await screen.type('\u001by').waitForText('Copied');
  });
});
