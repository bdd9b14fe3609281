import { describe, expect, test } from 'vitest';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { firstView, type SavedView } from '../../../src/store/saved-view.ts';
import { aBoard, ago, day, hour, inStatus } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

const selectedRow = (screen: string): string => screen.split('\n').find((row) => row.includes('▌')) ?? '';

async function start(
  parcels: readonly Parcel[] = aBoard(),
  view: Partial<SavedView> = {},
  size: readonly [number, number] = [120, 44],
) {
  const savedViews: Partial<SavedView>[] = [];
  const keepView = (changes: Partial<SavedView>): void => void savedViews.push(changes);
  const board = await startBoard(parcels, {
    size,
    board: { view: { ...firstView, ...view }, keepView },
  });
  return { ...board, savedViews };
}

/** The list's first row, below the column titles. */
const topOf = (screen: string): string => screen.split('\n')[3] ?? '';

test('a parcel that was cancelled, returned or lost moves to a group at the end when it is read, and moves back when there is news', async () => {
  const lost = { ...inStatus('lost', 'ABNORMAL', 'ABNORMAL_03', 60 * day), label: 'Lost hat' };
  const unread = { since: ago(day), lastRead: null };
  const gone = { ...inStatus('gone', 'EXPIRED', null, 40 * day), label: 'Old map' };
  const { monitor, screen } = await start([gone, { ...lost, unread }, inStatus('c', 'IN_TRANSIT', null, hour)]);
  const first = await screen.waitForText('1 needs attention');
  expect(first).toMatch(/Needs attention +1 .*\n.*! Lost hat/);
  await screen.type('m').waitForText('Closed');
  expect(screen.text()).not.toContain('needs attention');
  expect(screen.text()).toContain('□ 1 closed');
  expect(screen.text()).toMatch(/Old map[\s\S]*Closed +1 .*\n.*□ Lost hat +.*Damaged, lost or discarded/);
  monitor.change('lost', { unread });
  await screen.waitUntilGone('Closed');
  expect(screen.text()).toContain('1 needs attention');
});

describe('the order of the list', () => {
  test('is chosen in a pane, applied immediately, and saved', async () => {
    const { savedViews, screen } = await start();
    await screen.waitForText(' by urgency ↓');
    await screen.type('s').waitForText('most urgent first');
    const text = await screen.type('s').waitForText(' by newest event ↓');
    expect(topOf(text)).toContain('TELEPORTED');
    expect(text).not.toContain('Needs attention');
    await screen.type('\r').waitForText('Sorted by newest event, newest first.');
    expect(savedViews.at(-1)).toEqual({ order: 'newest-event' });
    await screen.type('S').waitForText(' by newest event ↑');
    expect(savedViews.at(-1)).toEqual({ isReversed: true });
  });

  test('stays unchanged when the user cancels', async () => {
    const { screen } = await start(aBoard(), { order: 'courier', isReversed: true });
    await screen.waitForText(' by courier ↓');
    await screen.type('sjj').waitForText(' by urgency ↓');
    await screen.type('\u001b').waitForText(' by courier ↓');
  });

  test('has no groups if sorted by time, and a message names the orders that have groups', async () => {
    const { screen } = await start(aBoard(), { order: 'next-check' });
    await screen
      .type('z')
      .waitForText('This order has no groups. Press s to choose urgency, courier or expected delivery.');
  });
});

describe('groups in the list', () => {
  test('parcels delivered before today start collapsed, and Enter expands them', async () => {
    const { savedViews, screen } = await start();
    const text = await screen.waitForText('› Delivered ');
    expect(text).not.toContain('Shoes');
    await screen.type('G').waitFor((shown) => selectedRow(shown).includes('› Delivered'), 'the heading selected');
    const onHeading = await screen.waitForText('⏎ open');
    expect(onHeading).toContain('1 parcel');
    await screen.type('x').waitForText('This is a group. Press Enter to expand it.');
    await screen.type('\r').waitForText('Shoes');
    expect(savedViews.at(-1)).toEqual({ collapsed: [] });
    await screen.type('\r').waitUntilGone('Shoes');
  });

  test('z collapses and expands the group of the selected parcel, Z all groups', async () => {
    const { screen } = await start(aBoard(), { selectedId: 'lamp' });
    await screen.waitFor((text) => selectedRow(text).includes('Lamp'), 'the lamp selected');
    await screen.type('z').waitFor((text) => selectedRow(text).includes('› In transit'), 'the group collapsed');
    await screen.type('z').waitFor((text) => selectedRow(text).includes('Lamp'), 'the lamp back');
    const collapsed = await screen
      .type('Z')
      .waitFor((text) => selectedRow(text).includes('› In transit'), 'all collapsed');
    expect(collapsed).not.toContain('Headphones');
    const open = await screen.type('Z').waitForText('Headphones');
    expect(open).toContain('Shoes');
    expect(selectedRow(open)).toContain('Lamp');
  });

  test('{ and } jump between groups', async () => {
    const { screen } = await start();
    await screen.type('}').waitFor((text) => selectedRow(text).includes('Out for delivery'), 'the second group');
    await screen.type('}j').waitFor((text) => selectedRow(text).includes('Kettle'), 'the first parcel of the third');
    await screen.type('{{').waitFor((text) => selectedRow(text).includes('Out for delivery'), 'the second group again');
  });

  test('a filter expands its matches in a collapsed group', async () => {
    const { screen } = await start();
    await screen.waitForText('› Delivered ');
    screen.type('/');
    await screen.type('shoes').waitForText('✓ Shoes');
    await screen.type('\u001b').waitForText('› Delivered ');
  });

  test('a restored parcel is visible in a collapsed group', async () => {
    const { monitor, screen } = await start(aBoard(), {
      selectedId: 'book',
      collapsed: ['out-for-delivery', 'delivered'],
    });
    await screen.waitForText('› Out for delivery');
    monitor.undo = async () => ({ message: 'Shoes is back.', parcelIds: ['shoes'] });
    monitor.set({ undoable: 'archiving' });
    const text = await screen.type('u').waitFor((shown) => selectedRow(shown).includes('Shoes'), 'the shoes selected');
    expect(text).toContain('› Out for delivery');
  });

  test('the heading stays visible, and the frame shows the position of the selection', async () => {
    const parcels = Array.from({ length: 60 }, (_, index) =>
      inStatus(String(index), index < 20 ? 'IN_TRANSIT' : 'DELIVERED', null, (2 + index) * day + hour),
    );
    const { screen } = await start(parcels, { collapsed: [] });
    await screen.waitForText(' 1 of 60 ');
    const text = await screen.type('G').waitForText(' 60 of 60 ');
    expect(topOf(text)).toContain('Delivered');
    expect(topOf(text)).toContain('40');
    await screen.type('{').waitForText(' 60 ─');
  });
});
