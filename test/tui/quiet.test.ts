import { expect, test } from 'vitest';
import { aCheckpoint, ago, aParcel, aRecord, day, inStatus } from '../board/parcels.ts';
import { startBoard } from './board-harness.ts';

const delivered = Array.from({ length: 10 }, (_, at) =>
  aParcel({
    id: `delivered-${at}`,
    trackNo: `DONE${at}`,
    archivedAt: ago(day),
    record: aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01', longestStillDays: 2 }),
  }),
);
const quiet = aParcel({ id: 'quiet', label: 'Teapot', lastEvent: aCheckpoint({ at: ago(5 * day) }) });
const moving = aParcel({ id: 'moving', label: 'Scarf' });

test('a quiet parcel is marked in its row and above its timeline, and can be filtered', async () => {
  const { screen } = await startBoard([moving, quiet, ...delivered], { size: [160, 30] });
  await screen.waitForText('quiet 5 d');
  const text = await screen
    .type('/is:quiet\r')
    .waitFor(
      (shown) => shown.includes('“is:quiet”') && !shown.includes('Scarf') && shown.includes('Teapot'),
      'the quiet one alone',
    );
  expect(text.replaceAll(/[\s│]+/g, ' ')).toMatch(/Quiet for 5 days: .*Yanwen parcels/);
});

test('a row becomes quiet as time passes, also if a filter hides it until then', async () => {
  const almost = { ...quiet, lastEvent: aCheckpoint({ at: ago(3 * day - 60_000) }) };
  const { clock, screen } = await startBoard([almost, ...delivered], { size: [160, 30] });
  await screen.type('/is:quiet\r').waitForText('No parcel matches.');
  await clock.advance(60_000);
  await screen.waitForText('quiet 3 d');
});

test('the parcel with the longest wait for pick-up comes first', async () => {
  const pickup = (id: string, eventAgo: number) => ({
    ...inStatus(id, 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', eventAgo),
    label: id,
  });
  const { screen } = await startBoard([pickup('Kettle', day), pickup('Chair', 8 * day)], { size: [160, 30] });
  const text = await screen.waitForText('8 days');
  expect(text.indexOf('Chair')).toBeLessThan(text.indexOf('Kettle'));
});
