import { expect, test } from 'vitest';
import { hour, inStatus } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

test('E edits a note, which the facts show', async () => {
  const board = await startBoard([inStatus('held', 'ABNORMAL', 'ABNORMAL_02', hour)], { size: [120, 30] });
  const { monitor, screen } = board;
  await screen.type('E').waitForText('never sent to the service');
  await screen.type('refund requested\r').waitForText('Saved the note on');
  expect(monitor.getState().parcels[0]?.note).toBe('refund requested');
  await screen.type('i').waitForText('note: refund requested');
});
