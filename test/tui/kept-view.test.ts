import { describe, expect, test } from 'vitest';
import { firstView, type SavedView } from '../../src/store/saved-view.ts';
import { aBoard } from '../board/parcels.ts';
import { startBoard } from './board-harness.ts';

const selectedRow = (screen: string): string => screen.split('\n').find((row) => row.includes('▌')) ?? '';

async function start(view: Partial<SavedView>) {
  const savedViews: Partial<SavedView>[] = [];
  const keepView = (changes: Partial<SavedView>): void => void savedViews.push(changes);
  const board = await startBoard(aBoard(), { board: { view: { ...firstView, ...view }, keepView } });
  return { ...board, savedViews };
}

describe("the board's last view", () => {
  test('is restored with its times, filter and selection', async () => {
    const { savedViews, screen } = await start({ timeMode: 'local', filter: 'dhl', selectedId: 'books' });
    const text = await screen.waitForText('times: Europe/Berlin');
    expect(text).toContain('“dhl”');
    expect(selectedRow(text)).toContain('Books');
    expect(savedViews).toEqual([]);
  });

  test('is saved field by field as it changes', async () => {
    const { savedViews, screen } = await start({ timeMode: 'local' });
    await screen.type('t').waitForText('times: UTC');
    expect(savedViews).toEqual([{ timeMode: 'utc' }]);
    await screen.type('j').waitFor((text) => selectedRow(text).includes('Headphones'), 'the second row selected');
    expect(savedViews.at(-1)).toEqual({ selectedId: 'headphones' });
  });

  test('is restored in English, and a change of language is saved', async () => {
    const { savedViews, screen } = await start({ isInEnglish: true });
    await screen.waitForText('in English');
    await screen.type('T').waitForText("Events in the couriers' own words.");
    expect(savedViews).toEqual([{ isInEnglish: false }]);
    await screen.type('T').waitForText('Events in English.');
    expect(savedViews.at(-1)).toEqual({ isInEnglish: true });
  });

  test('is restored with the zoomed pane, which is saved as the focus moves', async () => {
    const { savedViews, screen } = await start({ zoomedPane: 'timeline' });
    await screen.waitFor((text) => text.includes('times:') && !text.includes('1 All'), 'the timeline alone');
    await screen.type('h').waitFor((text) => text.includes('1 All') && !text.includes('times:'), 'the list alone');
    expect(savedViews.at(-1)).toEqual({ zoomedPane: 'list' });
    await screen.type('\u001b').waitForText('times:');
    expect(savedViews.at(-1)).toEqual({ zoomedPane: null });
  });

  test('is ignored if it is not valid', async () => {
    const { screen } = await start({ timeMode: 'moon', selectedId: 'gone' });
    const text = await screen.waitForText('times: local to event');
    expect(selectedRow(text)).toContain('LX123456789CN');
  });
});
