import { test } from 'vitest';
import { aBoard } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

test('Esc leaves the bar and keeps the text, as its hint says', async () => {
  const { screen } = await startBoard(aBoard());
  await screen.type('a').waitFor((text) => /Esc leave *$/m.test(text), 'the hint in an empty bar');
  await screen.type('RB1').waitForText('Esc leave, keep text');
  screen.type('\u001b');
  await screen.waitFor((text) => text.includes('⏎ timeline') && text.includes('add ▸ RB1'), 'the list and the text');
});
