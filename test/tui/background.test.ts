import { expect, onTestFinished, test } from 'vitest';
import type { BoardOptions } from '../../src/tui/run-board.tsx';
import { hour, inStatus } from '../board/parcels.ts';
import { startBoard } from './board-harness.ts';

const backgroundQuery = '\u001b]11;?\u001b\\';

async function start(board: Partial<BoardOptions>) {
  const { screen } = await startBoard([inStatus('LAMP', 'OUT_FOR_DELIVERY', null, hour)], { board });
  onTestFinished(() => void screen.type('\u001b[?62;22c'));
  await screen.waitForText('NOLAMP');
  const written = (): string => screen.writes().join('');
  return { screen, written };
}

test('with the theme "auto", the board queries the background colour, keeps drawing, and accepts a late reply', async () => {
  const { screen, written } = await start({ queriesBackground: true });
  expect(written().split(backgroundQuery)).toHaveLength(2);
  expect(written()).not.toContain('\u001b[34m');
  await screen.type('a').waitForText('⏎ add');
  await screen.type('x\u001b]11;rgb:fdfd/f6f6/e3e3\u001b\\y').waitForText('add ▸ xy');
  await screen.waitFor(() => written().includes('\u001b[34m'), 'the colours for a light background');
  screen.type('\u001b]11;rgb:0000/2b2b/3636\u0007');
  await screen.type('z').waitForText('add ▸ xyz');
});

test.each([
  { queriesBackground: false },
  { queriesBackground: true, colour: false },
  { queriesBackground: true, hasTitle: false },
])('the board does not query the background colour with %j', async (board) =>
  expect((await start(board)).written()).not.toContain(backgroundQuery),
);
