import { test } from 'vitest';
import { aCheckpoint, ago, aParcel, aRecord, day } from '../board/parcels.ts';
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
test('a row becomes quiet as time passes, even if a filter hides it until then', async () => {
  const almost = { ...quiet, lastEvent: aCheckpoint({ at: ago(3 * day - 60_000) }) };
  const { clock, screen } = await startBoard([almost, ...delivered], { size: [160, 30] });
  await screen.type('/is:quiet\r').waitForText('No parcel matches.');
  await clock.advance(60_000);
  await screen.waitForText('quiet 3 d');
});
