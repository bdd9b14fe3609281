import { describe, expect, test } from 'vitest';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { aCheckpoint, ago, hour, inStatus } from '../../board/parcels.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

const [focusIn, focusOut] = ['\u001b[I', '\u001b[O'];

/** A parcel with an unread event. */
const unreadParcel = (id: string, eventAgo: number): Parcel => ({
  ...inStatus(id, 'IN_TRANSIT', null, eventAgo),
  unread: { since: ago(eventAgo), lastRead: aCheckpoint({ at: ago(eventAgo + hour), detail: 'Read before' }) },
});

const markReadCalls = ({ monitor }: RunningBoard): readonly string[] =>
  monitor.calls.filter((call) => call.startsWith('markRead'));

describe('a parcel', () => {
  test('counts as read after two seconds', async () => {
    const board = await startBoard([unreadParcel('a', hour), unreadParcel('b', 2 * hour)]);
    await board.screen.waitForText('No events yet.');
    await board.clock.advance(1900);
    expect(markReadCalls(board)).toEqual([]);
    await board.clock.advance(200);
    expect(markReadCalls(board)).toEqual(['markRead a']);
    await board.clock.advance(10_000);
    expect(markReadCalls(board)).toEqual(['markRead a']);
  });

  test('does not count as read when the selection passes over it', async () => {
    const board = await startBoard([unreadParcel('a', hour), unreadParcel('b', 2 * hour), unreadParcel('c', 3 * hour)]);
    for (const [key, shown] of [
      ['j', 'NOb ─'],
      ['j', 'NOc ─'],
    ] as const) {
      await board.clock.advance(1500);
      await board.screen.type(key).waitForText(shown);
    }
    await board.clock.advance(1500);
    expect(markReadCalls(board)).toEqual([]);
    await board.clock.advance(600);
    expect(markReadCalls(board)).toEqual(['markRead c']);
  });

  test('does not count as read in a terminal without focus, but soon after the focus returns', async () => {
    const board = await startBoard([unreadParcel('a', hour)]);
    await board.clock.advance(1000);
    board.screen.type(focusOut);
    await board.clock.advance(60_000);
    expect(markReadCalls(board)).toEqual([]);
    board.screen.type(focusIn);
    await board.clock.advance(1900);
    expect(markReadCalls(board)).toEqual([]);
    await board.clock.advance(200);
    expect(markReadCalls(board)).toEqual(['markRead a']);
  });

  test.each([
    ['the help covers it', '?', 'Parcel list', [120, 30]],
    ['the courier picker replaces it', 'c', '⏎ choose', [120, 30]],
    ['the list fills the window', '', 'In transit', [60, 16]],
  ] as const)('does not count as read while %s', async (_name, keys, shown, size) => {
    const board = await startBoard([unreadParcel('a', hour)], { size });
    if (keys !== '') board.screen.type(keys);
    await board.screen.waitForText(shown);
    await board.clock.advance(60_000);
    expect(markReadCalls(board)).toEqual([]);
  });

  test('counts as read with m, like all marked ones', async () => {
    const board = await startBoard([
      unreadParcel('a', hour),
      inStatus('b', 'IN_TRANSIT', null, 2 * hour),
      unreadParcel('c', 3 * hour),
    ]);
    await board.screen.waitForText('NOc');
    await board.screen.type('*').waitForText('3 marked ─');
    await board.screen.type('m').waitForText('Marked 2 parcels as read.');
    expect(markReadCalls(board)).toEqual(['markRead a c']);
  });

  test('needs no timer if nothing is unread', async () => {
    const [unread, read] = await Promise.all([
      startBoard([unreadParcel('a', hour)]),
      startBoard([inStatus('a', 'IN_TRANSIT', null, hour)]),
    ]);
    expect(unread.clock.timers()).toBe(read.clock.timers() + 1);
    await unread.clock.advance(3000);
    expect(unread.clock.timers()).toBe(read.clock.timers());
  });
});

describe('a parcel that ended without delivery', () => {
  const cancelledParcel = (id: string, eventAgo: number): Parcel => ({
    ...inStatus(id, 'ABNORMAL', 'ABNORMAL_03', eventAgo),
    unread: { since: ago(eventAgo), lastRead: null },
  });
  const cancelledParcels = () => [
    cancelledParcel('a', hour),
    cancelledParcel('b', 2 * hour),
    cancelledParcel('c', 3 * hour),
  ];

  test('needs attention while the user does not touch the board', async () => {
    const board = await startBoard(cancelledParcels());
    await board.screen.waitForText('3 need attention');
    for (let count = 0; count < 3; count += 1) await board.clock.advance(3000);
    expect(markReadCalls(board)).toEqual([]);
    expect(board.screen.text()).toContain('3 need attention');
  });

  test('stays in place while it is read, and is closed when the user leaves it', async () => {
    const board = await startBoard(cancelledParcels());
    await board.screen.waitForText('NOa ─');
    await board.screen.type('j').waitForText('NOb ─');
    await board.clock.advance(3000);
    expect(markReadCalls(board)).toEqual([]);
    await board.screen.type('j').waitForText('□ 1 closed');
    expect(markReadCalls(board)).toEqual(['markRead b']);
  });

  test('is closed when its timeline is left, even with nothing else to select', async () => {
    const board = await startBoard([cancelledParcel('a', hour)]);
    await board.screen.waitForText('1 needs attention');
    board.screen.type('\r');
    await board.clock.advance(3000);
    expect(markReadCalls(board)).toEqual([]);
    await board.screen.type('\u001b').waitForText('□ 1 closed');
    expect(markReadCalls(board)).toEqual(['markRead a']);
  });

  test('stays if it is left immediately, or has changed since it was visible', async () => {
    const board = await startBoard(cancelledParcels());
    await board.screen.waitForText('NOa ─');
    await board.clock.advance(1000);
    await board.screen.type('j').waitForText('NOb ─');
    await board.clock.advance(3000);
    board.monitor.change('b', { changedAt: ago(0) });
    await board.clock.advance(1000);
    await board.screen.type('j').waitForText('NOc ─');
    await board.clock.advance(3000);
    expect(markReadCalls(board)).toEqual([]);
  });
});

describe('new events in the timeline', () => {
  const newest = aCheckpoint({ at: ago(hour), detail: 'Departed' });
  const older = aCheckpoint({ at: ago(2 * hour), detail: 'Sorted' });
  const before = aCheckpoint({ at: ago(9 * hour), detail: 'Handed in' });
  const parcel: Parcel = {
    ...inStatus('a', 'IN_TRANSIT', null, hour),
    lastEvent: newest,
    checkpointCount: 3,
    unread: { since: ago(hour), lastRead: before },
  };
  const histories = { a: { version: 1, received: null, checkpoints: [newest, older, before] } } as const;
  /** The symbols in front of the events' times. */
  const symbols = (text: string): readonly string[] =>
    [...text.matchAll(/([●✓○✈*o][•* ])\d\d:\d\d .*?(?:Departed|Sorted|Handed in)/g)].map(([, symbol = '']) => symbol);

  test('are marked while the parcel is open, but not after the user has left it and come back', async () => {
    const board = await startBoard([parcel, inStatus('b', 'IN_TRANSIT', null, 5 * hour)], {
      histories,
      size: [160, 40],
    });
    const shown = await board.screen.waitForText('Handed in');
    expect(symbols(shown)).toEqual(['●•', '●•', '● ']);
    await board.clock.advance(3000);
    expect(markReadCalls(board)).toEqual(['markRead a']);
    expect(symbols(await board.screen.waitForText('Handed in'))).toEqual(['●•', '●•', '● ']);
    await board.screen.type('j').waitForText('NOb ─');
    board.screen.type('k');
    expect(symbols(await board.screen.waitForText('Handed in'))).toEqual(['● ', '● ', '● ']);
  });

  test('are marked in ASCII too', async () => {
    const board = await startBoard([parcel], { histories, board: { glyphs: 'ascii' }, size: [160, 40] });
    expect(symbols(await board.screen.waitForText('Handed in'))).toEqual(['**', '**', '* ']);
  });
});

describe('m and M', () => {
  test('m marks the selected parcel as read, or reports that nothing is unread', async () => {
    const board = await startBoard([unreadParcel('a', hour), unreadParcel('b', 2 * hour)]);
    await board.screen.type('m').waitForText('Marked NOa as read. Press u to undo.');
    await board.screen.type('m').waitForText('NOa has nothing new.');
    expect(markReadCalls(board)).toEqual(['markRead a']);
  });

  test('M marks all parcels, including archived ones, and shows how many', async () => {
    const archived = { ...unreadParcel('c', 3 * hour), archivedAt: ago(hour) };
    const board = await startBoard([unreadParcel('a', hour), inStatus('b', 'IN_TRANSIT', null, 2 * hour), archived]);
    await board.screen.type('M').waitForText('Marked 2 parcels as read. Press u to undo.');
    await board.screen.type('M').waitForText('There is nothing new.');
    expect(markReadCalls(board)).toEqual(['markRead a c']);
  });

  test('u undoes M and keeps the selection in place, but does not undo automatic marks', async () => {
    const archived = { ...unreadParcel('c', 3 * hour), archivedAt: ago(hour) };
    const board = await startBoard([unreadParcel('a', hour), archived]);
    await board.screen.waitForText('No events yet.');
    await board.clock.advance(2100);
    await board.screen.type('u').waitForText('Nothing to undo.');
    await board.screen.type('M').waitForText('Marked 1 parcel as read. Press u to undo.');
    expect(await board.screen.type('u').waitForText('Unread again.')).toContain('NOa ─');
  });
});
