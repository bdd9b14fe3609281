import { onTestFinished, test } from 'vitest';
import { aChange } from '../../board/changes.ts';
import { aCheckpoint, ago, hour, inStatus } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

const german = 'Ihre Sendung liegt im Depot';
const lastEvent = aCheckpoint({ at: ago(hour), detail: german, subStatus: 'IN_TRANSIT_02', address: 'Leipzig' });
const sortedChange = aChange(1, hour, {
  parcelId: 'lamp',
  to: { stage: 'in-transit', lastEvent },
  message: `Arrived at a sorting centre - ${german}, Leipzig`,
});

test('T switches the newest event in the list and the news to English, and back to the original', async () => {
  const lamp = { ...inStatus('lamp', 'IN_TRANSIT', 'IN_TRANSIT_02', hour), label: 'Lamp', lastEvent };
  const { screen, stop } = await startBoard([lamp], { size: [120, 30], changes: [sortedChange], board: { phrases } });
  onTestFinished(async () => void (await stop()));
  const row = (text: string): string => text.split('\n').find((line) => line.includes('▌')) ?? '';
  await screen.waitFor((text) => row(text).includes(german), "the courier's wording");
  screen.type('T');
  await screen.waitFor((text) => row(text).includes('Reached the hub'), 'the translation');
  screen.type('/');
  await screen.waitForText('filter ▸');
  screen.type('reached the hub\r');
  await screen.waitFor(
    (text) => text.includes('“reached the hub”') && row(text).includes('Lamp'),
    'the matching parcel',
  );
  screen.type('n');
  await screen.waitForText('Arrived at a sorting centre - Reached the hub, Leipzig · Ihre Sendung');
  screen.type('T');
  await screen.waitFor(
    (text) => row(text).includes(`Arrived at a sorting centre - ${german}, Leipzig`) && !row(text).includes('hub'),
    "the courier's wording",
  );
});

const phrases = { [german]: 'Reached the hub' };
