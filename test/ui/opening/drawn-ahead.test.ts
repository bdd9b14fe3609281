import { expect, onTestFinished, test } from 'vitest';
import type { BoardOptions } from '../../../src/ui/run-board.ts';
import { aParcel } from '../../board/parcels.ts';
import { createScreen } from '../../support/screen.ts';
import { startBoard } from '../board-harness.ts';

/** How many bytes a board has written before it loads Ink, behind rows that stand on the screen already. */
async function writtenBeforeInk(drawnIn: BoardOptions['drawnIn'] = null): Promise<number> {
  const screen = createScreen(120, 30);
  let written = -1;
  const board = await startBoard([aParcel()], {
    screen,
    board: {
      painted: Array.from({ length: 30 }, (_, row) => `row ${row}`),
      drawnIn,
      suspension: {
        subscribe: () => {
          if (written < 0) written = screen.written();
          return () => undefined;
        },
        request: () => undefined,
      },
    },
  });
  onTestFinished(async () => void (await board.stop()));
  expect(await screen.waitForText('Parcels')).not.toContain('row 0');
  return written;
}

test('a frame that was drawn ahead of the same list is not made again before Ink is there', async () => {
  expect(await writtenBeforeInk({ columns: 120, rows: 30 })).toBe(0);
});

test('one of a window of another size is, and so is one that was kept', async () => {
  expect(await writtenBeforeInk({ columns: 100, rows: 30 })).toBeGreaterThan(0);
  expect(await writtenBeforeInk(null)).toBeGreaterThan(0);
});
