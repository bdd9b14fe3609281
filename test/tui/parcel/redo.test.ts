import { expect, test } from 'vitest';
import { hour, inStatus } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

test('Ctrl+R redoes the last undo, and the messages, the help and the list say what comes next', async () => {
  const { monitor, screen } = await startBoard([inStatus('LAMP', 'IN_TRANSIT', null, hour)], { size: [160, 40] });
  await screen.type('x').waitForText('Press u to undo.');
  await screen.type('u').waitForText('It is back on the list. Ctrl+r redoes archiving.');
  expect(await screen.type('?redo').waitForText('Redo the last undo')).toContain('Redo the last undo: archiving');
  await screen.type('\u001b\u001b').waitUntilGone('Redo the last undo');
  await screen.type(':undo').waitForText('List undo and redo steps');
  await screen.type('\r').waitForText('Ctrl+r redoes in this order:');
  await screen.waitForText('1  archiving');
  await screen.type('\u001b').waitForText('⏎ timeline');
  await screen.type('\u0012').waitForText('It is archived again. u undoes archiving.');
  expect(monitor.calls).toContain('redo');
  await screen.type('\u0012').waitForText('Nothing to redo.');
});
