import { describe, expect, test } from 'vitest';
import { firstView, type SavedView } from '../../../src/store/saved-view.ts';
import { aChange, inStage } from '../../board/changes.ts';
import { hour, inStatus, minute, now } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

const [focusIn, focusOut] = ['\u001b[I', '\u001b[O'];
const delivered = inStage('delivered', 'DELIVERED');

/** Starts a board that was last used this long ago, before the first change in the log, and collects what it saves. */
async function start(awayMs: number | null, size: readonly [number, number] = [120, 30]) {
  const savedViews: Partial<SavedView>[] = [];
  const seen = awayMs === null ? null : { seq: 0, at: now - awayMs };
  const board = await startBoard([inStatus('a', 'IN_TRANSIT', null, hour)], {
    size,
    board: { view: { ...firstView, seen }, keepView: (changes) => void savedViews.push(changes) },
    changes:
      awayMs === null ? [] : [aChange(1, hour, delivered), aChange(2, hour), aChange(3, hour, { change: 'archived' })],
  });
  return { ...board, savedViews };
}

describe('the summary after an absence', () => {
  test('is shown at the start, and disappears automatically', async () => {
    const { clock, screen } = await start(9 * hour);
    await screen.waitForText('While you were away (9 h): 1 in transit, 1 delivered. Press n to see them.');
    await clock.advance(30_000);
    await screen.waitUntilGone('While you were away');
  });

  test('appears once overdue parcels have been checked', async () => {
    const board = await start(null);
    const { monitor, screen } = board;
    const { polling } = monitor.getState();
    screen.type(focusOut);
    await board.clock.advance(2 * hour);
    monitor.set({ polling: { ...polling, phase: 'checking' } });
    await screen.type(focusIn).waitFor((text) => text.includes('⏎ timeline'), 'the keys');
    monitor.writeChanges(aChange(1, 0, delivered));
    await board.clock.advance(0);
    expect(screen.text()).not.toContain('away');
    monitor.set({ polling });
    await screen.waitForText('While you were away (2 h): 1 delivered.');
  });

  test('is omitted after less than ten minutes without focus', async () => {
    const { clock, monitor, screen } = await start(null);
    screen.type(focusOut);
    await clock.advance(9 * minute);
    monitor.writeChanges(aChange(1, 0, delivered));
    screen.type(focusIn);
    await clock.advance(minute);
    expect(screen.text()).not.toContain('away');
    screen.type(focusOut);
    await clock.advance(10 * minute);
    monitor.writeChanges(aChange(2, 0));
    await screen.type(focusIn).waitForText('While you were away (10 m): 1 in transit.');
  });

  test('is omitted if nothing happened, or at the first start', async () => {
    const { clock, screen } = await start(null);
    screen.type(focusOut);
    await clock.advance(2 * hour);
    screen.type(focusIn);
    await clock.advance(1000);
    expect(screen.text()).not.toContain('away');
  });
});

describe('the last change that the user saw', () => {
  test('is saved when the terminal loses focus, and on exit', async () => {
    const { clock, savedViews, monitor, screen, stop } = await start(null);
    monitor.writeChanges(aChange(1, 0));
    await clock.advance(minute);
    screen.type(focusOut);
    await clock.advance(minute);
    expect(savedViews.at(-1)).toEqual({ seen: { seq: 1, at: now + minute } });
    monitor.writeChanges(aChange(2, 0));
    await clock.advance(minute);
    await stop();
    expect(savedViews.at(-1)).toEqual({ seen: { seq: 1, at: now + minute } });
  });

  test('is the newest change when the user quits with the terminal focused', async () => {
    const { clock, savedViews, monitor, stop } = await start(null);
    await clock.advance(20 * minute);
    monitor.writeChanges(aChange(7, 0));
    await stop();
    expect(savedViews.at(-1)).toEqual({ seen: { seq: 7, at: now + 20 * minute } });
  });
});
