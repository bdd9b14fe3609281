import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { hour, inStatus, minute } from '../../board/parcels.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

/** How often a parcel of a list was read. */
const work = { count: 0 };

/** A parcel that counts how often it is read. */
const counting = (parcel: Parcel): Parcel =>
  new Proxy(parcel, {
    get(target, name, receiver) {
      work.count += 1;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });

const count = 20_000;
const statuses = ['IN_TRANSIT', 'IN_TRANSIT', 'ABNORMAL', 'DELIVERED'] as const;
const parcels = Array.from({ length: count }, (_, at) => {
  const status = statuses[at % statuses.length] ?? 'INIT';
  const one = inStatus(`p${at}`, status, null, (at % 5_000) * minute + (status === 'DELIVERED' ? 48 * hour : 0));
  return { ...one, label: `Order ${at}.` };
});

/** Counts how often the board reads parcels until `isDone` accepts the screen. */
async function workOf({ screen }: RunningBoard, act: () => void, isDone: (text: string) => boolean): Promise<number> {
  work.count = 0;
  act();
  await screen.waitFor(isDone, 'what was wanted');
  // The work that was deferred until after the frame.
  await turnOfTheLoop();
  return work.count;
}

describe('a list of 20,000', () => {
  test('is not traversed for a movement key, and once for a mark', async () => {
    const board = await startBoard(parcels.map(counting));
    const { screen } = board;
    await screen.waitForText('Order 2.');
    const steps: readonly (readonly [string, () => void, (text: string) => boolean])[] = [
      ['the next row', () => screen.type('j'), (text) => text.includes('2 of 20000')],
      ['a mark', () => screen.type(' '), (text) => text.includes('1 marked')],
      ['another mark', () => screen.type(' '), (text) => text.includes('2 marked')],
      ['a range', () => screen.type('v'), (text) => text.includes('range: 3 marked')],
      ['a longer range', () => screen.type('j'), (text) => text.includes('range: 4 marked')],
      ['both panes, and one of them', () => screen.type('+'), (text) => !text.includes('times:')],
    ];
    const found: Record<string, number> = {};
    for (const [name, act, isDone] of steps) found[name] = await workOf(board, act, isDone);
    // A frame of 30 rows reads hundreds of fields, and thousands if all are formatted again. Marks are looked up in the
    // watchlist and in the list.
    for (const [name, times] of Object.entries(found))
      expect(times, name).toBeLessThan(name.includes('mark') || name === 'a range' ? 3 * count : count / 4);
  });

  test('is filtered by each letter, and follows changes of its parcels', async () => {
    const board = await startBoard(parcels);
    const { monitor, screen } = board;
    await screen.waitForText('of 20000');
    await screen.type('/order 1999').waitForText('1 of 12 · 20000 in all');
    await screen.type('9').waitForText('1 of 1 · 20000 in all');
    const all = monitor.getState().parcels;
    const found = { ...inStatus('p3', 'IN_TRANSIT', null, 0), label: 'Order 19999 again' };
    monitor.set({ parcels: all.with(3, found) });
    await screen.waitForText('of 2 · 20000 in all');
    await screen.type('\u001b').waitForText('of 20000');
  });
});
