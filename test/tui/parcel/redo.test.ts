import { expect, onTestFinished, test } from 'vitest';
import { hour, inStatus } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

test('Ctrl+R redoes what u undid; messages, help and list say what comes next', async () => {
  const { monitor, screen, stop } = await startBoard([inStatus('LAMP', 'IN_TRANSIT', null, hour)], { size: [160, 40] });
  onTestFinished(async () => void (await stop()));
  screen.type('x');
  await screen.waitForText('Press u to undo.');
  screen.type('u');
  await screen.waitForText('It is back on the list. Ctrl+r redoes archiving.');
  screen.type('?redo');
  expect(await screen.waitForText('Redo what u undid')).toContain('Redo what u undid: archiving');
  screen.type('\u001b\u001b');
  await screen.waitUntilGone('Redo what u undid');
  screen.type(':undo');
  await screen.waitForText('List what can be undone');
  screen.type('\r');
  await screen.waitForText('Ctrl+r redoes, in this order:');
  await screen.waitForText('1  archiving');
  screen.type('\u001b');
  await screen.waitForText('⏎ timeline');
  screen.type('\u0012');
  await screen.waitForText('It is archived again. u undoes archiving.');
  expect(monitor.calls).toContain('redo');
  screen.type('\u0012');
  await screen.waitForText('Nothing to redo.');
});
