import { expect, test } from 'vitest';
import { StoreError } from '../../src/lib/store-errors.ts';
import { aParcel, aRecord, now } from '../board/parcels.ts';
import { startBoard } from './board-harness.ts';

const link = 'https://c.example/track?number={trackingNo}';
const lamp = aParcel({ label: 'Lamp', record: aRecord({ courierTrackingLink: link }) });

test('on a read-only watchlist, keys that write show why they do nothing, and the others work', async () => {
  const readOnly = 'nas is a read-only replica.';
  const { monitor, screen } = await startBoard([lamp, aParcel({ id: 'scarf', trackNo: 'RB2CN', label: 'Scarf' })], {
    size: [120, 30],
  });
  monitor.set({ polling: { ...monitor.getState().polling, isFollowing: true, readOnly } });
  await screen.waitForText('read-only');
  for (const key of ['x', 'a', 'e', 'r', 'R', 'd', 'P', 'M']) {
    await screen.type(key).waitForText(readOnly);
    await screen.type('\u001b').waitFor((shown) => !shown.includes(readOnly), 'that the message is gone');
  }
  expect(monitor.calls).toEqual(['start']);
  await screen.type('jY').waitForText('The courier page is not known yet.');
});

test('the header shows when the database became unreachable', async () => {
  const { monitor, screen } = await startBoard([lamp], { size: [160, 40] });
  screen.type('i');
  monitor.set({ polling: { ...monitor.getState().polling, cutOffSince: now } });
  await screen.waitForText('offline since 13:42');
  await screen.waitForText('no checks until the database is back');
  monitor.set({ polling: { ...monitor.getState().polling, cutOffSince: null } });
  await screen.waitFor((shown) => !shown.includes('offline since'), 'that the database is back');
});

test('failures caused by the database disappear once it is back', async () => {
  const { monitor, screen } = await startBoard([lamp], { size: [120, 30] });
  monitor.set({ polling: { ...monitor.getState().polling, cutOffSince: now } });
  monitor.archiveAll = async () => {
    throw new StoreError('cut-off', 'postgres://nas/parcels cannot be reached.', 'nas');
  };
  await screen.waitForText('Lamp');
  await screen.type('x').waitForText('cannot be reached');
  monitor.set({ polling: { ...monitor.getState().polling, cutOffSince: null } });
  await screen.waitFor((shown) => !shown.includes('cannot be reached'), 'that the message is gone');
});

test('a failure caused by the database is reported once, with its consequence, even in a small window', async () => {
  const { monitor, screen } = await startBoard([lamp], { size: [60, 20] });
  const failed = 'postgres://ann@nas/parcels cannot be reached. Check that the server runs, then try again.';
  monitor.archiveAll = async () => {
    monitor.set({
      notices: [`Unsaved changes: do not quit before they are saved. ${failed}`],
      polling: { ...monitor.getState().polling, cutOffSince: now },
    });
    throw new StoreError('cut-off', failed, 'nas');
  };
  await screen.waitForText('Lamp');
  await screen.type('x').waitForText('do not quit before they are saved');
  await screen.waitForText('? help');
  expect(screen.text()).toMatch(/The\s+database cannot be reached/);
  expect(screen.text().match(/cannot be reached/g)).toHaveLength(1);
});
