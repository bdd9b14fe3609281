import { describe, expect, test } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { aCheckpoint, ago, aParcel, aPendingParcel, aRecord, day } from '../board/parcels.ts';
import { startBoard } from './board-harness.ts';

const expectedOn = (label: string, date: string): Parcel =>
  aParcel({
    id: label,
    trackNo: `NO${label.toUpperCase()}1`,
    label,
    record: aRecord({ expectedDelivery: { kind: 'day', date } }),
  });
const parcels = [expectedOn('Mug', '2026-11-19'), expectedOn('Book', '2026-11-21'), expectedOn('Vase', '2026-11-24')];

async function start() {
  const saved: (readonly [labels: readonly (string | null)[], day: string])[] = [];
  const board = await startBoard(parcels, {
    size: [110, 30],
    board: {
      writeCalendar: (days, day) => {
        saved.push([days.map(({ label }) => label), day]);
        return Promise.resolve('parcels-tue-24-nov.ics');
      },
    },
  });
  return { ...board, saved };
}

describe('expected deliveries', () => {
  test('shows late parcels and the coming days, saves a day to a file and lists its parcels', async () => {
    const { saved, screen } = await start();
    await screen.type('w').waitForText('3 with a date');
    expect(screen.text()).toMatch(/Late +━+ +1 +Mug/);
    expect(screen.text()).toMatch(/▌ Today +━+ +1 +Book/);
    expect(screen.text()).toMatch(/Tue 24 Nov +━+ +1 +Vase/);
    await screen.type('\u001b[C\u001b[C\u001b[C').waitForText('▌ Tue 24 Nov');
    await screen.type('e').waitForText('Saved 1 parcel to parcels-tue-24-nov.ics.');
    expect(saved).toEqual([[['Vase'], 'Tue 24 Nov']]);
    await screen.type('\r').waitForText('“due:tue”');
    expect(screen.text()).toContain('Vase');
    expect(screen.text()).not.toContain('Book');
  });

  test('saves nothing for a day without expected deliveries, and closes', async () => {
    const { saved, screen } = await start();
    await screen.type('wje').waitForText('No courier promised a delivery on this day.');
    await screen.type('w').waitUntilGone('Expected deliveries');
    expect(saved).toEqual([]);
  });
});

test('the statistics show one row per courier, and Enter lists the parcels of the selected one', async () => {
  const { screen } = await start();
  await screen.type('%').waitForText('0 of 3 delivered');
  expect(screen.text()).toMatch(/▌ Yanwen +3 +0 +33%/);
  expect(screen.text()).toMatch(/Delivered this week: 0, last week: 0/);
  await screen.type('\r').waitForText('“courier:"Yanwen"”');
});

test('sorting by expected delivery puts forecasts under their own heading, before parcels without a date', async () => {
  const delivered = Array.from({ length: 12 }, (_, index) =>
    aParcel({
      id: `delivered-${index}`,
      lastEvent: aCheckpoint({ at: ago((index + 1) * day), subStatus: 'DELIVERED_01' }),
      record: aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01', transitDays: 10 + index }),
    }),
  );
  const withoutDate = aParcel({ id: 'lamp', label: 'Lamp', checkedAt: ago(0), record: aRecord({ transitDays: 8 }) });
  const unknown = aPendingParcel({ id: 'new', label: 'Unknown' });
  const { screen } = await startBoard([...parcels, withoutDate, unknown, ...delivered], { size: [160, 40] });
  await screen.waitForText('Lamp');
  const shown = await screen.type(':order expected\r').waitForText('Forecast');
  expect(shown).toMatch(/Late .*Mug.*Today .*Book.*Forecast .*Lamp.*likely.*No date .*Unknown/s);
});
