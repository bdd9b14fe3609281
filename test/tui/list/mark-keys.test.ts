import { describe, expect, test } from 'vitest';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import type { AccountActions } from '../../../src/polling/account.ts';
import { BudgetSpentError } from '../../../src/polling/gate/budget.ts';
import { RequestRefusedError, UnreachableError } from '../../../src/service/port.ts';
import { aParcel, aPendingParcel, hour, inStatus } from '../../board/parcels.ts';
import { draftOf, startHarness } from '../../polling/harness.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

/** Parcels in transit, listed in this order. */
const inTransit = (...names: readonly string[]): readonly Parcel[] =>
  names.map((name, age) => ({ ...inStatus(name, 'IN_TRANSIT', null, (age + 1) * hour), label: name }));

const reject = (): Promise<never> => Promise.reject(new Error('unexpected call'));
/** An account that records its calls. */
function recordingAccount(calls: string[], failures: Readonly<Record<string, Error>> = {}): AccountActions {
  return {
    retrack: reject,
    setExtras: reject,
    deleteTogether: async (ids) => {
      calls.push(`delete ${ids.join(' ')}`);
      return new Map(ids.flatMap((id) => (failures[id] === undefined ? [] : [[id, failures[id]] as const])));
    },
    changeCourier: async (id, code) => {
      calls.push(`courier ${id} ${code}`);
      if (failures[id] !== undefined) throw failures[id];
      return 'changed';
    },
  };
}

const markedNames = (screen: string): readonly string[] =>
  [...screen.matchAll(/■. (\S+)/g)].map(([, name]) => name ?? '');

/** Waits until exactly these parcels are marked. */
const waitForMarks = ({ screen }: RunningBoard, ...names: readonly string[]): Promise<string> =>
  screen.waitFor((text) => markedNames(text).join() === names.join(), `${names.join()} marked`);

describe('marking', () => {
  test('Space marks or unmarks a parcel and moves down, and the frame shows the number', async () => {
    const board = await startBoard(inTransit('A', 'B', 'C'));
    await board.screen.type(' ').waitForText('x d r c e # m y act on the marked parcels');
    board.screen.type(' ');
    expect(await waitForMarks(board, 'A', 'B')).toContain(' 2 marked ─╮');
    board.screen.type('k ');
    await waitForMarks(board, 'A');
    expect(board.screen.text()).toContain(' 1 marked ─╮');
  });

  test('v starts a range that movement extends; v ends it, Escape cancels it', async () => {
    const board = await startBoard(inTransit('A', 'B', 'C', 'D'));
    board.screen.type('vjj');
    expect(await waitForMarks(board, 'A', 'B', 'C')).toContain('range: 3 marked');
    board.screen.type('k');
    await waitForMarks(board, 'A', 'B');
    await board.screen.type('vG').waitFor((text) => text.includes(' 2 marked ─'), 'the range ended');
    await waitForMarks(board, 'A', 'B');
    board.screen.type('v');
    await waitForMarks(board, 'A', 'B', 'D');
    board.screen.type('\u001b');
    await waitForMarks(board, 'A', 'B');
    board.screen.type('\u001b');
    await waitForMarks(board);
  });

  test('* marks and unmarks all that match', async () => {
    const board = await startBoard(inTransit('Apple', 'Banana', 'Avocado'));
    await board.screen.type('/av\r').waitForText('1 of 3');
    board.screen.type('*');
    await waitForMarks(board, 'Avocado');
    board.screen.type('/\u001b');
    await waitForMarks(board, 'Avocado');
    board.screen.type('*');
    await waitForMarks(board, 'Apple', 'Banana', 'Avocado');
    board.screen.type('*');
    await waitForMarks(board);
  });

  test('is:marked lists the marked parcels', async () => {
    const board = await startBoard(inTransit('Apple', 'Banana', 'Avocado'));
    await board.screen.type(' ').waitForText('1 marked');
    await board.screen.type('/is:marked\r').waitForText('1 of 1');
  });

  test('Escape removes marks before it clears the filter', async () => {
    const board = await startBoard(inTransit('Apple', 'Banana'));
    await board.screen.type('/app\r').waitForText('1 of 2');
    board.screen.type(' ');
    await waitForMarks(board, 'Apple');
    board.screen.type('\u001b');
    expect(await waitForMarks(board)).toContain('1 of 1 · 2 in all');
    await board.screen.type('\u001b').waitForText('Banana');
  });

  test('marks survive a new order, a refresh and a filter, and disappear with their parcel', async () => {
    const board = await startBoard(inTransit('A', 'B', 'Clock'));
    board.screen.type('  ');
    await waitForMarks(board, 'A', 'B');
    board.monitor.change('A', { lastEvent: null, checkedAt: '2026-11-21T12:00:00Z' });
    await waitForMarks(board, 'B', 'A');
    await board.screen.type('/Clock\r').waitForText('2 marked, 2 not listed');
    board.screen.type('\u001b');
    board.monitor.set({ parcels: board.monitor.getState().parcels.filter(({ id }) => id !== 'A') });
    await board.screen.waitFor((text) => !text.includes('not listed'), 'only marks that are listed');
  });
});

describe('acting on marked parcels', () => {
  test('x archives all, and a single u restores them all', async () => {
    const { clock, monitor } = await startHarness();
    for (const trackNo of ['NO1', 'NO2', 'NO3']) await monitor.add(draftOf(trackNo));
    const { screen } = await startBoard([], { board: { monitor, clock } });
    await screen.waitForText('NO3');
    await screen.type('  x').waitForText('Archived 2 parcels. Press u to undo.');
    expect(monitor.getState().parcels.filter(({ archivedAt }) => archivedAt !== null)).toHaveLength(2);
    await screen.type('u').waitForText('2 parcels are back on the list.');
    expect(monitor.getState().parcels.every(({ archivedAt }) => archivedAt === null)).toBe(true);
  });

  test('x in a range acts on it and ends it', async () => {
    const { monitor, screen } = await startBoard(inTransit('A', 'B', 'C'));
    await screen.type('vjx').waitForText('Archived 2 parcels.');
    expect(monitor.calls).toEqual(['start', 'archive A', 'archive B']);
    expect(screen.text()).not.toContain('range');
  });

  test('d asks once, deletes what it can, and names the rest, which stays marked', async () => {
    const calls: string[] = [];
    const account = recordingAccount(calls, { B: new RequestRefusedError('The service did not delete B.') });
    const board = await startBoard(inTransit('A', 'B', 'C'), { account });
    await board.screen.type('*d').waitForText('3 parcels, here and at the service? y/n');
    await board.screen
      .type('y')
      .waitForText('! Deleted 2 parcels. Failed and still marked: B. The service did not delete B. Press u to undo.');
    expect(calls).toEqual(['delete A B C']);
    await waitForMarks(board, 'B');
  });

  test('d says how many of the parcels are hidden', async () => {
    const { screen } = await startBoard(inTransit('A', 'B', 'Clock'), { account: recordingAccount([]) });
    await screen.type('*/Clock\r').waitForText('3 marked, 2 not listed');
    await screen.type('d').waitForText('3 parcels (2 hidden), here and at the service? y/n');
  });

  test('deleting many parcels shows the progress, and stops if the service fails', async () => {
    const names = Array.from({ length: 205 }, (_, n) => `N${n}`);
    const second = Promise.withResolvers<never>();
    const calls: number[] = [];
    const account: AccountActions = {
      ...recordingAccount([]),
      deleteTogether: async (ids) => {
        calls.push(ids.length);
        return calls.length === 2 ? await second.promise : new Map();
      },
    };
    const { screen } = await startBoard(inTransit(...names), { account });
    await screen.type('*dy').waitForText('Deleting 205 parcels: 100 done…');
    second.reject(new UnreachableError('The service cannot be reached.'));
    const text = await screen.waitForText(
      'Deleted 100 parcels. Failed and still marked: N100, N101, N102 and 102 more.',
    );
    expect(text).toContain('105 marked');
    expect(calls).toEqual([100, 100]);
  });

  test('r refreshes all parcels, and rejected ones stay marked', async () => {
    const board = await startBoard(inTransit('A', 'B', 'C'));
    board.monitor.refresh = async (ids) => ({
      answered: ids.slice(1),
      changed: ids.slice(2),
      rejected: ids.slice(0, 1),
      failure: null,
    });
    await board.screen.type('*r').waitForText('! Checked 3 parcels: 1 changed, 1 rejected. Still marked: A.');
    await waitForMarks(board, 'A');
  });

  test('r leaves parcels that the budget held back marked', async () => {
    const board = await startBoard(inTransit('A', 'B'));
    board.monitor.refresh = async (ids) => ({
      answered: ids.slice(0, 1),
      changed: [],
      rejected: [],
      failure: new BudgetSpentError('The budget is used up.'),
    });
    await board.screen.type('*r').waitForText('Still marked: B. The budget is used up.');
    await waitForMarks(board, 'B');
  });

  test('r asks for confirmation before it registers many parcels', async () => {
    const parcels = Array.from({ length: 11 }, (_, n) => aPendingParcel({ id: `p${n}`, trackNo: `NO${n}` }));
    const { monitor, screen } = await startBoard(parcels);
    monitor.costOf = () => ({ calls: 2, numbers: 11, registrations: 11 });
    await screen.type('*r').waitForText('Check 11 parcels? This uses 11 registrations and 2 calls. y/n');
    expect(monitor.calls).toEqual(['start']);
    await screen.type('y').waitForText('Checked 11 parcels');
  });

  test('c shows the cost and asks for confirmation, then moves the parcels to a courier one by one', async () => {
    const calls: string[] = [];
    const account = recordingAccount(calls, { B: new RequestRefusedError('Not that one.') });
    const board = await startBoard(inTransit('A', 'B', 'C'), { account });
    await board.screen.type('*c').waitForText('⏎ choose');
    await board.screen.type('ups').waitForText('▌ ups ');
    await board.screen.type('\r').waitForText('Move 3 parcels to UPS? This uses up to 3 registrations. y/n');
    expect(calls).toEqual([]);
    await board.screen
      .type('y')
      .waitForText('Changed the courier of 2 parcels to UPS. Failed and still marked: B. Not that one.');
    expect(calls).toEqual(['courier A ups', 'courier B ups', 'courier C ups']);
    await waitForMarks(board, 'B');
  });

  test('e gives all parcels the same label, starting from the one they share, and an empty label removes it', async () => {
    const { monitor, screen } = await startBoard([
      aParcel({ id: 'a', trackNo: 'NO1', label: 'Lamp' }),
      aParcel({ id: 'b', trackNo: 'NO2', label: 'Lamp' }),
    ]);
    await screen.type('*e').waitForText('one label for 2 parcels ▸ Lamp');
    await screen.type('s\r').waitForText('2 parcels are now called Lamps. Press u to undo.');
    expect(monitor.getState().parcels.map(({ label }) => label)).toEqual(['Lamps', 'Lamps']);
    await screen.type('*e\u0015\r').waitForText('Removed the label of 2 parcels.');
    expect(monitor.getState().parcels.map(({ label }) => label)).toEqual([null, null]);
  });

  test('# edits the common tags, and leaves other tags alone', async () => {
    const { monitor, screen } = await startBoard([
      aParcel({ id: 'a', trackNo: 'NO1', tags: ['gift', 'old'] }),
      aParcel({ id: 'b', trackNo: 'NO2', tags: ['gift', 'odd'] }),
    ]);
    await screen.type('*#').waitForText('tags of 2 parcels ▸ gift');
    await screen.type(', fragile, -old\r').waitForText('2 parcels: +fragile -old. Press u to undo.');
    expect(monitor.getState().parcels.map(({ tags }) => tags)).toEqual([
      ['gift', 'fragile'],
      ['gift', 'odd', 'fragile'],
    ]);
  });

  test('without marks, # edits the tags of the selected parcel, which the filter finds', async () => {
    const { screen } = await startBoard([
      aParcel({ label: 'Lamp', tags: ['gift'] }),
      aPendingParcel({ id: 'book', label: 'Book' }),
    ]);
    await screen.type('#').waitForText('tags of Lamp ▸ gift');
    await screen.type(', fragile\r').waitForText('Lamp: +fragile.');
    await screen.type('/fragile\r').waitForText('1 of 2');
    await screen.type('#\u0015\r').waitForText('Lamp: -gift -fragile.');
  });

  test('X archives parcels delivered before today in the viewer’s zone, and shows why if there are none', async () => {
    const deliveredAgo = (name: string, age: number): Parcel => ({
      ...inStatus(name, 'DELIVERED', 'DELIVERED_01', age),
      label: name,
    });
    // It is 13:42 in Berlin: fourteen hours ago was yesterday.
    const parcels = [
      deliveredAgo('Today', 13 * hour),
      deliveredAgo('Yesterday', 14 * hour),
      deliveredAgo('Before', 40 * hour),
    ];
    const { monitor, screen } = await startBoard([...parcels, ...inTransit('A')]);
    await screen.type('X').waitForText('Archived 2 parcels, delivered before today. Press u to undo.');
    expect(monitor.calls).toEqual(['start', 'archive Yesterday', 'archive Before']);
    await screen.type('X').waitForText('Nothing to archive: no parcel was delivered before today.');
  });

  test('the failure of a single parcel shows only the reason', async () => {
    const account = recordingAccount([], { A: new RequestRefusedError('The service did not delete A.') });
    const { screen } = await startBoard(inTransit('A', 'B'), { account });
    expect(await screen.type('dy').waitForText('! The service did not delete A.')).not.toContain('Failed');
  });

  test('parcels that were removed elsewhere are not reported as done', async () => {
    const { monitor, screen } = await startBoard(inTransit('A', 'B'));
    await screen.type('e').waitForText('label of A ▸');
    monitor.set({ parcels: monitor.getState().parcels.filter(({ id }) => id !== 'A') });
    await screen.type('Lamp\r').waitForText('It is no longer on the list.');
  });
});
