import { describe, expect, test } from 'vitest';
import type { View } from '../../../src/board/views.ts';
import { firstView, type SavedView } from '../../../src/store/saved-view.ts';
import { aBoard, aParcel } from '../../board/parcels.ts';
import { eventually } from '../../support/eventually.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

const frame = (text: string): string => text.split('\n').find((row) => row.startsWith('╭')) ?? '';
const command = async ({ screen }: RunningBoard, text: string): Promise<void> => {
  await screen.type(':').waitForText('search :');
  for (const key of text) screen.type(key);
  await screen.waitForText(`search :${text}`);
  screen.type('\r');
};

const ownViews: readonly View[] = [
  { name: 'All' },
  { name: 'Gifts', filter: 'tag:gift', order: '-label', columns: ['number', 'tags'], collapsed: [] },
  { name: 'By courier', order: 'courier', collapsed: ['courier Yanwen'] },
];
const parcels = [
  aParcel({ id: 'a', trackNo: 'RB100000003CN', label: 'Atlas', tags: ['gift'] }),
  aParcel({ id: 'b', trackNo: 'RB100000005CN', label: 'Zebra', tags: ['gift', 'vip'] }),
  aParcel({ id: 'c', trackNo: 'RB100000017CN', label: 'Lamp' }),
];

describe("the list's tabs", () => {
  test('are All, Act now, Today and Late at first, with counts that follow the parcels', async () => {
    const { monitor, screen } = await startBoard(aBoard());
    await screen.waitFor((text) => frame(text).startsWith('╭[1 All 13]│ 2 Act now 4 │ 3 Today 1 │ 4 Late 0 '), 'tabs');
    await monitor.remove('headphones');
    await screen.waitFor((text) => frame(text).startsWith('╭[1 All 12]│ 2 Act now 3 │'), 'the new counts');
  });

  test('are chosen by number or stepped through with brackets, which wrap around at the ends', async () => {
    const { screen } = await startBoard(aBoard());
    await screen.type('2').waitFor((text) => frame(text).includes('│[2 Act now 4]│'), 'the view');
    expect(screen.text()).toContain('Headphones');
    expect(screen.text()).not.toContain('Birthday book');
    await screen.type('[').waitFor((text) => frame(text).startsWith('╭[1 All'), 'the first view');
    await screen.type('[').waitFor((text) => frame(text).includes('│[4 Late'), 'the last view');
    await screen.type(']').waitFor((text) => frame(text).startsWith('╭[1 All'), 'the first view again');
    await screen.type('7').waitForText('There is no view 7. Type :view save and a name to create one.');
  });

  test('show when the filter or the order differs from the view, and Escape goes back to it, then to all', async () => {
    const { screen } = await startBoard(aBoard());
    await screen.type('3').waitFor((text) => frame(text).includes('│[3 Today 1]│'), 'the view');
    await screen.type('/').waitForText('filter ▸ (due:today or stage:out-for-delivery)');
    await screen.type('\r').waitFor((text) => frame(text).includes('│[3 Today 1]│'), 'still the view');
    await screen.type('/').waitForText('filter ▸ (due:today or stage:out-for-delivery)');
    for (const key of 'hermes\r') screen.type(key);
    await screen.waitFor(
      (text) => frame(text).includes('“(due:today or stage:out-for-delivery) hermes”'),
      'the changed filter',
    );
    expect(screen.text()).not.toContain('Birthday book');
    await screen.type('\u001b').waitFor((text) => frame(text).includes('│[3 Today 1]│'), 'the view');
    await screen.type('\u001b').waitFor((text) => frame(text).startsWith('╭[1 All 13]'), 'all');
    await screen.type('S').waitFor((text) => frame(text).startsWith('╭[1 All* 13]'), 'a different order');
  });

  test("give way to the archive's title, and choosing a tab leaves the archive", async () => {
    const { screen } = await startBoard(aBoard());
    await screen.type('A').waitFor((text) => frame(text).startsWith('╭ Archive · by'), 'the archive');
    await screen.type('1').waitFor((text) => frame(text).startsWith('╭[1 All'), 'the list');
  });
});

describe('a view', () => {
  test('sets filter, order, columns and collapsed groups, and leaves the settings of other views as they are', async () => {
    const { screen } = await startBoard(parcels, { board: { views: ownViews } });
    const text = await screen.type('2').waitFor((now) => frame(now).includes('[2 Gifts 2]'), 'the view');
    expect(text).toMatch(/│ {4}Number +Tags +│/);
    expect(text).toMatch(/RB100000005CN +gift, vip[\s\S]*RB100000003CN +gift /);
    expect(text).not.toContain('RB100000017CN');
    await screen.type('3').waitForText('› Yanwen');
    await screen
      .type('1')
      .waitFor((now) => frame(now).includes('[1 All 3]') && !now.includes('› '), 'no collapsed group');
  });

  test('is restored with its columns when the board is opened again', async () => {
    const keptViews: Partial<SavedView>[] = [];
    const keepView = (changes: Partial<SavedView>): void => void keptViews.push(changes);
    const { screen, stop } = await startBoard(parcels, { board: { views: ownViews, keepView } });
    await screen.type('2').waitFor((now) => frame(now).includes('[2 Gifts 2]'), 'the view');
    await eventually(() =>
      expect(keptViews.at(-1)).toMatchObject({ view: 'Gifts', filter: 'tag:gift', order: 'label' }),
    );
    await stop();
    const view = { ...firstView, ...Object.assign({}, ...keptViews) };
    const { screen: reopened } = await startBoard(parcels, { board: { views: ownViews, view } });
    expect(await reopened.waitFor((now) => frame(now).includes('[2 Gifts 2]'), 'the view')).toMatch(/Number +Tags/);
  });

  test('is saved from the current list, and says what it replaces', async () => {
    const saved: unknown[] = [];
    const changeView = async (name: string, view: View | null): Promise<void> => void saved.push([name, view]);
    const board = await startBoard(parcels, { board: { views: ownViews, changeView } });
    await board.screen.type('2').waitFor((now) => frame(now).includes('[2 Gifts 2]'), 'the view');
    await command(board, 'view save Presents');
    await board.screen.waitForText('Saved the view "Presents".');
    expect(saved).toEqual([
      ['Presents', { name: 'Presents', filter: 'tag:gift', order: '-label', columns: ['number', 'tags'] }],
    ]);
    await board.screen.type('1').waitFor((now) => frame(now).includes('[1 All 3]'), 'all');
    await command(board, 'view save gifts');
    await board.screen.waitForText('Saved the view "Gifts". It replaces “tag:gift” by -label with number, tags.');
    expect(saved.at(-1)).toEqual(['Gifts', { name: 'Gifts' }]);
    await command(board, 'view delete by courier');
    await board.screen.waitForText('Deleted the view "By courier", which was all parcels by courier.');
    expect(saved.at(-1)).toEqual(['By courier', null]);
  });

  test('is not saved again without a name once it is deleted', async () => {
    const board = await startBoard(parcels, { board: { views: ownViews, changeView: async () => undefined } });
    await board.screen.type('2').waitFor((now) => frame(now).includes('[2 Gifts 2]'), 'the view');
    await command(board, 'view delete');
    await board.screen.waitForText('Deleted the view "Gifts"');
    await command(board, 'view save');
    await board.screen.waitForText('Type :view save and a name.');
  });

  test('says why if it cannot be saved', async () => {
    const changeView = () => Promise.reject(new Error('config.json is read-only. Use another with --config.'));
    const board = await startBoard(parcels, { board: { changeView } });
    await command(board, 'view save Mine');
    await board.screen.waitForText('! config.json is read-only. Use another with --config.');
    const demo = await startBoard(parcels);
    await command(demo, 'view save Mine');
    await demo.screen.waitForText('Views cannot be saved in the demo.');
  });
});

describe('the columns', () => {
  test('are chosen and moved with a preview, kept for the view, and restored by Escape', async () => {
    const keptViews: Partial<SavedView>[] = [];
    const keepView = (changes: Partial<SavedView>): void => void keptViews.push(changes);
    const { screen } = await startBoard(parcels, { board: { views: ownViews, keepView } });
    await screen.type('2').waitForText('Number');
    await screen.type(',').waitForText('2 of 15');
    await screen.type(' ').waitFor((text) => !/│ {4}Number/.test(text), 'the list without numbers');
    await screen.type('\u001b').waitFor((text) => /│ {4}Number +Tags/.test(text), 'the columns as before');
    await screen.type(',').waitForText('2 of 15');
    await screen.type('J').waitFor((text) => /│ {4}Tags +Number/.test(text), 'the moved column');
    screen.type('j');
    await screen.type(' ').waitForText('3 of 15');
    await screen.type('\r').waitForText('Columns: tags, number, stage.');
    expect(keptViews.at(-1)).toEqual({
      columns: { Gifts: { chosen: ['tags', 'number', 'stage'], instead: ['number', 'tags'] } },
    });
    await screen.type('1').waitFor((text) => /│ {4}Parcel +Courier/.test(text), 'the default columns');
    await screen.type('2').waitFor((text) => /│ {4}Tags +Number +Stage/.test(text), 'its own columns');
    await screen.type(',a\r').waitFor((text) => /│ {4}Parcel +Courier/.test(text), 'the default columns');
  });

  test('can be typed', async () => {
    const board = await startBoard(parcels);
    await command(board, 'columns order-no,label,age');
    await board.screen.waitFor((text) => /│ {4}Order no +Parcel +Last/.test(text), 'the columns');
    await command(board, 'columns lable');
    await board.screen.waitForText('There is no column "lable".');
  });
});
