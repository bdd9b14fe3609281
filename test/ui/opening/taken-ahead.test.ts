import { describe, expect, onTestFinished, test } from 'vitest';
import { rowSigns } from '../../../src/board/status/row-signs.ts';
import { openedUi } from '../../../src/ui/kept-view.ts';
import { firstView } from '../../../src/watchlist/state/view-memory.ts';
import { hour, inStatus } from '../../board/parcels.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

const parcels = ['first', 'second', 'third'].map((id, index) => ({
  ...inStatus(id, 'IN_TRANSIT', 'IN_TRANSIT_02', (index + 1) * hour),
  label: `The ${id}`,
}));

/** A board that opens with the keys that waited while its list was read, with a parcel selected then. */
async function openedWith(selectedId: string, kept: readonly string[]): Promise<RunningBoard> {
  const ui = { ...openedUi(firstView), selectedId, selectedIndex: 1 };
  const board = await startBoard(parcels, {
    board: { takenAhead: { keys: null, kept, seen: { ui, rowsAbove: 1 } } },
  });
  onTestFinished(async () => void (await board.stop()));
  return board;
}

describe('keys that waited while the list was read', () => {
  test('are done in their order, with the parcel that was selected', async () => {
    const { screen } = await openedWith('second', [' ', 'k', 'k', ' ']);
    const text = await screen.waitFor((shown) => shown.includes('2 marked'), 'both marks');
    const marked = text.split('\n').filter((row) => row.includes(rowSigns.marked));
    expect(marked.map((row) => /The \w+/.exec(row)?.[0])).toEqual(['The first', 'The second']);
  });

  test('are done with no other parcel where that is gone meanwhile', async () => {
    const { screen } = await openedWith('gone', [' ']);
    const text = await screen.waitFor((shown) => shown.includes('is gone'), 'what became of them');
    expect(text).toContain('The parcel that was selected is gone, so what you pressed was not done.');
    expect(text).not.toContain('marked');
  });
});
