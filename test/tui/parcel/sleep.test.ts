import { expect, test } from 'vitest';
import { hour, inStatus } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

test('W asks how long, and snoozes the selected parcel', async () => {
  const board = await startBoard([inStatus('held', 'ABNORMAL', 'ABNORMAL_02', hour)], { size: [100, 24] });
  const { monitor, screen } = board;
  await screen.type('W').waitForText('3 until it moves');
  await screen.type('9\r').waitForText('Type 1, 2 or 3, or 0 to end the snooze.');
  await screen.type('\u007f3\r').waitForText('Snoozed');
  expect(monitor.calls).toContain('snooze held: null');
  expect(screen.text()).not.toContain('1 needs attention');
});
