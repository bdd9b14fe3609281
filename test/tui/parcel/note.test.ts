import { expect, onTestFinished, test } from 'vitest';
import { hour, inStatus } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

test('E edits a note, which the facts show', async () => {
  const board = await startBoard([inStatus('held', 'ABNORMAL', 'ABNORMAL_02', hour)], { size: [120, 30] });
  onTestFinished(async () => void (await board.stop()));
  const { monitor, screen } = board;
  screen.type('E');
  await screen.waitForText('never sent to the service');
  screen.type('refund asked\r');
  await screen.waitForText('Saved the note on');
  expect(monitor.getState().parcels[0]?.note).toBe('refund asked');
  screen.type('i');
  await screen.waitForText('note: refund asked');
});
