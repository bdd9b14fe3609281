import { expect, test } from 'vitest';
import { firstView, type SavedView } from '../../../src/store/saved-view.ts';
import { ago, day, hour, inStatus } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

async function start(view: Partial<SavedView> = {}) {
  const old = { ...inStatus('OLD', 'DELIVERED', null, 40 * day), archivedAt: ago(day) };
  const savedViews: Partial<SavedView>[] = [];
  const keepView = (changes: Partial<SavedView>): void => void savedViews.push(changes);
  const board = await startBoard([inStatus('NEW', 'IN_TRANSIT', null, hour), old], {
    board: { view: { ...firstView, ...view }, keepView },
  });
  return { ...board, savedViews };
}

test('A shows the archive, where x restores a parcel, and A goes back', async () => {
  const { savedViews, monitor, screen } = await start();
  await screen.waitForText('1 All');
  const archive = await screen.type('A').waitForText('Archive · by urgency');
  expect(archive).toContain('NOOLD');
  expect(archive).not.toContain('NONEW');
  expect(archive.split('\n')[0]).toContain('archive');
  expect(archive).toContain('x restore');
  expect(savedViews.at(-1)).toEqual({ listed: 'archive' });
  await screen.type('r').waitForText('Archived parcels are not checked. Press x to restore one.');
  await screen.type('x').waitForText('The archive is empty. Press A to go back to the list.');
  expect(monitor.calls).toContain('restore OLD');
  const back = await screen.type('A').waitForText('1 All');
  expect(back).toContain('NONEW');
});

test.each(['}', '{', 'z', 'Z'])('%s says which order divides the archive into groups', async (key) => {
  const { screen } = await start({ listed: 'archive' });
  await screen.waitForText('Archive · by urgency');
  await screen.type(key).waitForText('The archive has groups only if sorted by courier. Press s to choose that order.');
});

test('the archive is grouped if sorted by courier', async () => {
  const { screen } = await start({ listed: 'archive', order: 'courier' });
  await screen.waitForText('Archive · by courier');
  await screen.type('z').waitFor((text) => text.includes('› ') && !text.includes('NOOLD '), 'the group collapsed');
});

test('an archive that was open is shown again at the next start, and Escape leaves it', async () => {
  const { screen } = await start({ listed: 'archive' });
  await screen.waitForText('NOOLD');
  await screen.type('\u001b').waitForText('NONEW');
});
