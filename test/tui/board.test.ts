import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { cellWidth } from '../../src/lib/cells.ts';
import type { ParcelHistory } from '../../src/parcels/parcel.ts';
import type { CourierList } from '../../src/store/courier-directory.ts';
import { firstView } from '../../src/store/saved-view.ts';
import { aBoard, aCheckpoint, aParcel, aRecord, hour, inStatus, now } from '../board/parcels.ts';
import { eventually } from '../support/eventually.ts';
import { createScreen } from '../support/screen.ts';
import { terminalForScreen } from '../support/test-terminal.ts';
import { type RunningBoard, someCouriers, startBoard } from './board-harness.ts';

/** The text of the selected row. */
const selectedRow = (screen: string): string => /▌(.*?)(?:││|│$)/m.exec(screen)?.[1] ?? '';

const histories: Record<string, ParcelHistory> = {
  lamp: {
    version: 1,
    received: null,
    checkpoints: [
      aCheckpoint({
        at: '2026-11-21T03:42:00Z',
        local: '2026-11-21 11:42:00',
        offset: '+08:00',
        detail: '航班已起飞',
        address: '深圳, CN',
      }),
      aCheckpoint({
        at: null,
        local: '2026-11-17 11:05:00',
        offset: null,
        certain: false,
        detail: 'Handed to the airline',
        address: null,
      }),
    ],
  },
};

describe('navigation', () => {
  test('j, k, G, g and held keys move the selection, even in a single read', async () => {
    const parcels = Array.from({ length: 40 }, (_, n) =>
      inStatus(String(n).padStart(2, '0'), 'IN_TRANSIT', null, n * hour),
    );
    const { screen } = await startBoard(parcels);
    await screen.waitForText('NO00');
    await screen.type('jjj').waitFor((text) => selectedRow(text).includes('NO03'), 'the fourth row selected');
    await screen.type('k').waitFor((text) => selectedRow(text).includes('NO02'), 'the third row selected');
    await screen.type('G').waitFor((text) => selectedRow(text).includes('NO39'), 'the last row selected');
    await screen.type('\u001b[A\u001b[5~').waitFor((text) => /NO2\d/.test(selectedRow(text)), 'a page further up');
    await screen.type('g').waitFor((text) => selectedRow(text).includes('NO00'), 'the first row selected');
    await screen.type('\u0004').waitFor((text) => /NO0[4-9]/.test(selectedRow(text)), 'half a page further down');
    await screen.type('\u0015').waitFor((text) => selectedRow(text).includes('NO00'), 'the first row again');
  });

  test('the selection follows its parcel when the order changes', async () => {
    const { monitor, screen } = await startBoard(aBoard());
    await screen.type('G\r').waitForText('Shoes');
    screen.type('G');
    const before = selectedRow(
      await screen.waitFor((text) => selectedRow(text).includes('Shoes'), 'the last row selected'),
    );
    monitor.change('headphones', { record: aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' }) });
    const text = await screen.waitFor(
      (shown) => shown.indexOf('Headphones') > shown.indexOf('Delivered'),
      'Headphones delivered',
    );
    expect(selectedRow(text)).toBe(before);
  });

  test('Tab cycles through the panes, Enter opens the timeline, Escape goes back and never quits', async () => {
    const { screen, monitor } = await startBoard(aBoard());
    await screen.waitForText('⏎ timeline');
    await screen.type('\r').waitForText('h list');
    await screen.type('\u001b').waitForText('⏎ timeline');
    await screen.type('\t\t').waitForText('@ courier');
    await screen.type('\u001b[Z').waitForText('h list');
    screen.type('\u001b');
    screen.type('\u001b');
    await screen.type('\u001b').waitForText('⏎ timeline');
    expect(monitor.calls).not.toContain('stop');
  });

  test("t switches between event time, the viewer's zone and UTC, and the pane shows which", async () => {
    const lamp = aBoard().filter((parcel) => parcel.id === 'lamp');
    const { screen } = await startBoard(lamp, { histories, size: [160, 40] });
    await screen.waitForText('· +08:00');
    expect(screen.text()).toContain('times: local to event');
    expect(screen.text()).toContain('11:05~');
    expect(await screen.type('t').waitForText('times: Europe/Berlin')).toContain('04:42');
    expect(await screen.type('t').waitForText('times: UTC')).toContain('03:42');
    await screen.type('t').waitForText('times: local to event');
  });

  test(':view shows the parcels of a view in its order, and lists the views', async () => {
    const { screen } = await startBoard(aBoard(), { size: [160, 40] });
    await screen.waitForText('Birthday book');
    await screen.type(':view act\r').waitForText('There is no view "act". Use: All, Act now, Today, Late.');
    screen.type('\u001b');
    const shown = await screen
      .type(':view Act now\r')
      .waitForText('Act now: (is:problem or stage:pickup) !is:snoozed.');
    expect(shown).toContain('Kettle');
    expect(shown).not.toContain('Birthday book');
    await screen.type(':view all\r').waitForText('Birthday book');
  });

  test('a key that is not available shows why', async () => {
    const { screen } = await startBoard([]);
    await screen.waitForText('No parcels yet. Three ways to start:');
    await screen.type('u').waitForText('Nothing to undo.');
    await screen.type('r').waitForText('No parcel is selected.');
  });

  test('the details show the service clock, and the problem with its trace ID', async () => {
    const { monitor, screen } = await startBoard(aBoard(), { size: [160, 50] });
    const { polling } = monitor.getState();
    monitor.set({
      polling: {
        ...polling,
        phase: 'stopped',
        problem: {
          kind: 'key-refused',
          message: 'The service refused the API key.',
          code: 'A0230',
          traceId: 'f'.repeat(32),
        },
      },
    });
    await screen.waitForText('The service refused the API key.');
    const text = await screen.type('D').waitForText('Service clock');
    expect(text).toContain('UTC+08:00, assumed');
    expect(text).toContain('f'.repeat(32));
    await screen.type('\u001b').waitForText(' by urgency');
  });
});

test('the advice for a problem stays visible in a narrow window', async () => {
  const { monitor, screen } = await startBoard(aBoard(), { size: [60, 30] });
  const { polling } = monitor.getState();
  const message = 'The service refused the API key (A0230). Check the key and its header, then refresh to try again.';
  monitor.set({
    polling: { ...polling, problem: { kind: 'key-refused', message, code: null, traceId: null } },
  });
  const text = await screen.waitForText('then refresh to try');
  expect(text.split('\n').at(-1)).toContain('q quit');
});

test('a wrong clock is reported on the board and in the details', async () => {
  const { screen } = await startBoard(aBoard(), { size: [120, 40], board: { clockSkew: () => 600_000 } });
  await screen.waitForText("This machine's clock is 10 minutes behind");
  await screen.type('D').waitForText('Your clock');
});

describe('filtering', () => {
  test('the list shrinks while typing, Enter keeps the filter, Escape clears it', async () => {
    const { screen } = await startBoard(aBoard());
    screen.type('/');
    await screen
      .type('lamp')
      .waitFor((text) => !text.includes('Headphones') && /1 of 1 · \d+ in all/.test(text), 'one row left');
    await screen.type('\r').waitForText('⏎ timeline');
    expect(screen.text()).toContain('“lamp” · by urgency');
    await screen.type('\u001b').waitForText('Headphones');
  });
});

describe('adding', () => {
  test('a number and Enter in a single read add the number as pending, and select it', async () => {
    const { monitor, screen } = await startBoard(aBoard());
    await screen.type('a').waitForText('@ courier');
    await screen.type('1Z999AA10123456784\r').waitForText('Added 1Z999AA10123456784.');
    expect(monitor.calls).toContain('add 1Z999AA10123456784 - -');
    expect(selectedRow(screen.text())).toMatch(/1Z999AA.*456784/);
  });

  test('a courier is chosen from the picker by keyboard', async () => {
    const { monitor, screen } = await startBoard([]);
    screen.type('a');
    for (const key of '1Z999') screen.type(key);
    screen.type(' ');
    await screen.type('@').waitForText('UPS · 联合包裹');
    for (const key of 'yan') screen.type(key);
    await screen.waitUntilGone('联合包裹');
    screen.type('\u007f');
    await screen.type('\r').waitForText('1Z999 @yanwen');
    await screen.type('\r').waitForText('Added 1Z999.');
    expect(monitor.calls).toContain('add 1Z999 yanwen -');
  });

  test('a read that ends with @ also opens the picker', async () => {
    const { screen } = await startBoard([]);
    await screen.type('a').waitForText('@ courier');
    await screen.type('1Z999AA10123456784 @').waitForText('UPS · 联合包裹');
    expect(screen.text()).toContain('add ▸ 1Z999AA10123456784 @');
  });

  test('the picker moves with the arrows, knows Chinese names, and Escape keeps the typed text', async () => {
    const { screen } = await startBoard([]);
    screen.type('a');
    await screen.type('1Z999 @').waitForText('1 of 3');
    await screen.type('\u001b[B').waitForText('2 of 3');
    await screen.type('燕文').waitForText('1 of 1');
    await screen.type('\u001b').waitForText('1Z999 @燕文');
  });

  test('if the couriers cannot be loaded, the picker shows why and a typed code still works', async () => {
    const { screen } = await startBoard([], {
      couriers: { list: () => Promise.reject(new Error('The service cannot be reached.')) },
    });
    screen.type('a');
    await screen.type('1Z999 @').waitForText('The service cannot be reached.');
    for (const key of 'ups') screen.type(key);
    await screen.type('\r').waitForText('1Z999 @ups');
  });

  test('an unknown courier is reported with the nearest code, and stays in the bar', async () => {
    const { monitor, screen } = await startBoard([]);
    await screen
      .type('\u001b[200~1Z999AA10123456784 @yanwne, RB100000003CN @ups\u001b[201~')
      .waitForText('@yanwne, RB');
    const text = await screen.type('\r').waitForText('did you mean yanwen?');
    expect(text).toContain('add ▸ 1Z999AA10123456784 @yanwne');
    expect(monitor.calls.filter((call) => call.startsWith('add'))).toEqual(['add RB100000003CN ups -']);
  });

  test.each([
    ['cannot be loaded', () => Promise.reject(new Error('The service cannot be reached.'))],
    ['are too old', async () => ({ couriers: someCouriers, fetchedAt: 0, stale: true, problem: 'no response' })],
  ])('while the couriers %s, a pasted code is accepted', async (_what, list) => {
    const { monitor, screen } = await startBoard([], { couriers: { list } });
    await screen.type('\u001b[200~1Z999AA10123456784 @yanwne\u001b[201~').waitForText('@yanwne');
    await screen.type('\r').waitForText('Added 1Z999AA10123456784.');
    expect(monitor.calls).toContain('add 1Z999AA10123456784 yanwne -');
  });

  describe('while the couriers are fetched', () => {
    const list: CourierList = { couriers: someCouriers, fetchedAt: 0, stale: false, problem: null };
    const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`;
    const additions = ({ monitor }: RunningBoard): readonly string[] =>
      monitor.calls.filter((call) => call.startsWith('add'));

    /** Enters text on a board whose couriers load only when the test lets them. */
    const enter = async (text: string, parcels = aBoard()) => {
      const { promise, resolve, reject } = Promise.withResolvers<CourierList>();
      const board = await startBoard(parcels, { couriers: { list: () => promise } });
      await board.screen.type(paste(text)).waitForText(`add ▸ ${text}`);
      await board.screen.type('\r').waitForText('Looking up the courier…');
      expect(board.screen.text()).toContain(`add ▸ ${text}`);
      return { ...board, board, arrive: () => resolve(list), fail: () => reject(new Error('No response.')) };
    };

    test('the entry stays in the bar, and is added only once even if Enter is pressed repeatedly', async () => {
      const { arrive, board, screen } = await enter('1Z999AA10123456784 @ups');
      screen.type('\r');
      screen.type('\r');
      await screen.type('\t').waitUntilGone('Looking up the courier…');
      expect(additions(board)).toEqual([]);
      arrive();
      const text = await screen.waitForText('Added 1Z999AA10123456784.');
      expect(text).not.toContain('@ups');
      expect(additions(board)).toEqual(['add 1Z999AA10123456784 ups -']);
    });

    test('text that was changed in between is not added automatically', async () => {
      const { arrive, board, screen } = await enter('1Z999AA10123456784 @ups');
      for (const key of ' "La') screen.type(key);
      await screen.waitForText('@ups "La');
      arrive();
      await screen.waitForText('Press Enter again');
      expect(screen.text()).toContain('add ▸ 1Z999AA10123456784 @ups "La');
      expect(additions(board)).toEqual([]);
      await screen.type('\r').waitForText('Added La.');
    });

    test('text that was removed from the bar is not mentioned', async () => {
      const { arrive, board, screen } = await enter('1Z999AA10123456784 @ups');
      await screen.type('\u0015').waitUntilGone('@ups');
      arrive();
      await nextTurn();
      board.monitor.set({ parcels: [] });
      await screen.waitUntilGone('Headphones');
      expect(screen.text()).not.toContain('Press Enter again');
      expect(additions(board)).toEqual([]);
    });

    test('an open prompt is not covered', async () => {
      const { arrive, board, screen } = await enter('1Z999AA10123456784 @ups');
      await screen.type('\u001b').waitUntilGone('Looking up the courier…');
      await screen.type('e').waitForText('label of');
      arrive();
      await screen.waitForText('Press Enter again');
      expect(screen.text()).toContain('label of');
      expect(additions(board)).toEqual([]);
    });

    test('a user who is doing something else is not asked for confirmation', async () => {
      const numbers = Array.from({ length: 11 }, (_, n) => `RB10000000${String(n).padStart(2, '0')}`).join(', ');
      const { promise, resolve } = Promise.withResolvers<CourierList>();
      const board = await startBoard(aBoard(), { couriers: { list: () => promise } });
      await board.screen.type('a').waitForText('@ courier');
      await board.screen.type(paste(`${numbers} @ups`)).waitForText('@ups');
      await board.screen.type('\r').waitForText('Looking up the courier…');
      await board.screen.type('\t').waitUntilGone('Looking up the courier…');
      resolve(list);
      await board.screen.waitForText('Press Enter again');
      expect(board.screen.text()).not.toContain('11 numbers?');
      await board.screen.type('a').waitUntilGone('Press Enter again');
      await board.screen.type('\r').waitForText('11 numbers?');
    });
  });

  test('a restored entry comes before newer text, as a separate entry', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const { monitor, screen } = await startBoard([]);
    monitor.add = () => promise;
    await screen.type('a').waitForText('@ courier');
    await screen.type('1Z999AA10123456784\r').waitUntilGone('1Z999');
    for (const key of 'RB1') screen.type(key);
    await screen.waitForText('add ▸ RB1');
    reject(new Error('No space left.'));
    await screen.waitForText('No space left.');
    for (const key of '0') screen.type(key);
    await screen.waitForText('add ▸ 1Z999AA10123456784 ⏎ RB10');
  });

  test('if only part of a paste is added, a message shows how many were not, and why', async () => {
    const { monitor, screen } = await startBoard([], { size: [160, 30] });
    const lines = ['RB100000003CN', 'RB100000006CN', 'RB100000007CN', '1Z999AA10123456784', 'RB123456785CN @nosuch'];
    await screen.type(`\u001b[200~${lines.join('\n')}\u001b[201~`).waitForText('@nosuch');
    await screen.type('\r').waitForText('2 added, 3 not added: 2 with a wrong check digit, 1 with an unknown courier.');
    expect(screen.text()).toContain('add ▸ RB100000006CN ⏎ RB100000007CN ⏎ RB123456785CN @nosuch');
    expect(monitor.calls).toHaveLength(3);
  });

  test('a wrong check digit causes a warning before anything is spent, and a second Enter adds the number', async () => {
    const { monitor, screen } = await startBoard([], { size: [160, 30] });
    await screen
      .type('\u001b[200~RB100000005CN "Lamp"\n1Z999AA10123456784\u001b[201~')
      .waitForText('1Z999AA10123456784');
    await screen
      .type('\r')
      .waitForText('1 added, 1 not added. The check digit looks wrong. Press Enter to add it anyway: RB100000005CN.');
    expect(screen.text()).toContain('add ▸ RB100000005CN "Lamp"');
    expect(monitor.calls).toHaveLength(2);
    await screen.type('\r').waitForText('Added Lamp.');
    expect(monitor.calls).toContain('add RB100000005CN - Lamp');
  });

  test('a number that replaces a doubtful one is checked too', async () => {
    const { monitor, screen } = await startBoard([], { size: [160, 30] });
    await screen.type('\u001b[200~RB100000005CN\u001b[201~').waitForText('RB100000005CN');
    await screen.type('\r').waitForText('The check digit looks wrong.');
    for (const key of ['\u0015', ...'rb100000006cn']) screen.type(key);
    await screen.waitForText('rb100000006cn');
    await screen.type('\r').waitForText('Press Enter to add it anyway: RB100000006CN.');
    expect(monitor.calls).toEqual(['start']);
  });

  test('a duplicate jumps to its row', async () => {
    const { screen } = await startBoard([
      aParcel({ id: 'x', trackNo: 'AA1111' }),
      aParcel({ id: 'y', trackNo: 'BB2222', lastEvent: null }),
    ]);
    screen.type('a');
    for (const key of 'bb2222\r') screen.type(key);
    await screen.waitForText('BB2222 is already on the list.');
    expect(selectedRow(screen.text())).toContain('BB2222');
  });

  test('returns the entry to the bar if the store cannot be written', async () => {
    const { monitor, screen } = await startBoard([]);
    monitor.failNextAdd(new Error('The disk is full. Make room, then press Enter again.'));
    screen.type('a');
    for (const key of 'aa1111\r') screen.type(key);
    const text = await screen.waitForText('The disk is full.');
    expect(text).toContain('add ▸ aa1111');
  });

  test('the typed text stays when the user leaves the bar', async () => {
    const { screen } = await startBoard(aBoard());
    screen.type('a');
    for (const key of 'LX1') screen.type(key);
    await screen.waitForText('add ▸ LX1');
    expect(await screen.type('\u001b').waitForText('⏎ timeline')).toContain('add ▸ LX1');
  });
});

describe('spending', () => {
  test('P pauses and resumes checks', async () => {
    const { monitor, screen } = await startBoard(aBoard());
    await screen.type('P').waitForText('Automatic checks paused.');
    expect(screen.text().split('\n')[0]).toContain('paused');
    await screen.type('P').waitForText('Automatic checks resumed.');
    expect(monitor.calls.slice(1)).toEqual(['pause', 'resume']);
  });

  test('many numbers are added only after the user confirms the cost', async () => {
    const { monitor, screen } = await startBoard([], { size: [160, 30] });
    const numbers = Array.from({ length: 120 }, (_, n) => `JD${1000000000 + n}`);
    await screen.type('a').waitForText('@ courier');
    await screen.type(`\u001b[200~${numbers.join(', ')}\u001b[201~`).waitForText('JD1000000119');
    await screen.type('\r').waitForText('Add 120 numbers? This uses up to 120 registrations and 4 calls. y/n');
    await screen.type('n').waitForText('JD1000000119');
    expect(monitor.calls).toEqual(['start']);
    await screen.type('\r').waitForText('120 numbers?');
    await screen.type('y').waitForText('Added 120 numbers.');
    expect(monitor.calls.filter((call) => call.startsWith('add'))).toHaveLength(120);
  });

  test('R shows the number of calls if it is more than one', async () => {
    const parcels = Array.from({ length: 250 }, (_, n) => inStatus(String(n), 'IN_TRANSIT', null, n * hour));
    const { monitor, screen } = await startBoard(parcels);
    const unfinished = Promise.withResolvers<never>();
    monitor.refreshDue = () => unfinished.promise;
    await screen.type('R').waitForText('Checking 250 parcels in 3 calls');
  });

  test('reports a spent budget with the time when checks resume', async () => {
    const { monitor, screen } = await startBoard(aBoard());
    const { polling } = monitor.getState();
    const budget = {
      message: 'The budget of 100 queries a day is used up; checks resume at 00:00 UTC.',
      short: '100 of 100 queries used; 3 wait',
      resumesAt: 0,
      waiting: 3,
    };
    monitor.set({ polling: { ...polling, budget } });
    await screen.waitForText('The budget of 100 queries a day is used up');
  });
});

describe('acting on parcels', () => {
  test('x archives a parcel, and u restores and selects it', async () => {
    const { monitor, screen } = await startBoard(aBoard());
    const before = selectedRow(await screen.waitFor((text) => selectedRow(text) !== '', 'a selection'));
    await screen.type('x').waitForText('Press u to undo.');
    expect(selectedRow(screen.text())).not.toBe(before);
    await screen.type('u').waitForText('It is back on the list.');
    expect(selectedRow(screen.text())).toBe(before);
    expect(monitor.calls.map((call) => call.split(' ')[0])).toEqual(['start', 'archive', 'undo']);
  });

  test('r checks the selected parcel, and R checks all due parcels', async () => {
    const { monitor, screen } = await startBoard([aParcel()]);
    await screen.type('r').waitForText('Checked 1 parcel: no change.');
    await screen.type('R').waitForText('All up to date');
    expect(monitor.calls).toEqual(['start', 'refresh parcel-1', 'refreshDue']);
  });
});

describe('actions at the service', () => {
  const recordingAccount = (calls: string[]) => ({
    retrack: async (id: string) => {
      calls.push(`retrack ${id}`);
      return {
        trackNo: 'X1',
        courierCode: null,
        accepted: false,
        actualRefreshTime: '2026-11-21 18:00:00',
        message: null,
      };
    },
    deleteTogether: async (ids: readonly string[]) => {
      calls.push(`delete ${ids.join(' ')}`);
      return new Map<string, Error>();
    },
    changeCourier: async (id: string, code: string) => {
      calls.push(`courier ${id} ${code}`);
      return 'changed' as const;
    },
    setExtras: async (id: string, extras: object) => {
      calls.push(`extras ${id} ${JSON.stringify(extras)}`);
      return 'registered-again' as const;
    },
  });

  test('f makes the service query the courier again, and reports if that was too early', async () => {
    const calls: string[] = [];
    const { screen } = await startBoard([aParcel()], { account: recordingAccount(calls) });
    await screen.type('f').waitForText('Already asked at 11:00. Try again at 17:00.');
    expect(calls).toEqual(['retrack parcel-1']);
  });

  test('d asks for confirmation, and only y deletes', async () => {
    const calls: string[] = [];
    const { screen } = await startBoard([aParcel({ label: 'Lamp' })], { account: recordingAccount(calls) });
    await screen.type('d').waitForText('Lamp and its history, here and at the service? y/n');
    await screen.type('n').waitForText('⏎ timeline');
    await screen.type('d').waitForText('y yes');
    await screen.type('y').waitForText('Deleted Lamp.');
    expect(calls).toEqual(['delete parcel-1']);
  });

  test('the history keys no longer recall a deleted number', async () => {
    const savedViews: object[] = [];
    const { screen } = await startBoard([aParcel({ label: 'Lamp', trackNo: 'RB123456785CN' })], {
      account: recordingAccount([]),
      board: {
        view: { ...firstView, entered: ['RB848719115CN', 'RB123456785CN'] },
        keepView: (changes) => void savedViews.push(changes),
      },
    });
    await screen.type('d').waitForText('y yes');
    await screen.type('y').waitForText('Deleted Lamp.');
    await eventually(() =>
      expect(savedViews).toContainEqual({ entered: ['RB848719115CN'], forgotten: ['RB123456785CN'] }),
    );
    screen.type('a');
    await screen.type('\u001b[A').waitForText('add ▸ RB848719115CN');
  });

  test('c moves the parcel to a courier from the picker, and leaves the input bar alone', async () => {
    const calls: string[] = [];
    const { screen } = await startBoard([aParcel()], { account: recordingAccount(calls) });
    await screen.type('c').waitForText('UPS · 联合包裹');
    for (const key of 'ups') screen.type(key);
    await screen.type('\r').waitForText('Changed the courier of LX123456789CN to UPS.');
    expect(calls).toEqual(['courier parcel-1 ups']);
    expect(screen.text()).toContain('add ▸ press a: number');
  });

  test('c lists the couriers whose number format matches a rejected number first', async () => {
    const couriers = [
      ...someCouriers,
      { code: 'dhl-de', nameEN: 'Germany DHL', nameCN: null, homePage: null },
      { code: 'cainiao', nameEN: 'Zainiao', nameCN: null, homePage: null },
    ];
    const list = async (): Promise<CourierList> => ({ couriers, fetchedAt: 0, stale: false, problem: null });
    const error = { kind: 'rejected', code: 'A0400', message: 'no', traceId: null };
    const rejected = aParcel({
      trackNo: 'JJD000390007895500001',
      registration: 'rejected',
      courierCode: null,
      record: null,
      error,
    });
    const { screen } = await startBoard([rejected], { couriers: { list } });
    await screen
      .type('c')
      .waitFor((text) => /cainiao .*\n.*dhl-de .*\n.*dhl .*\n/.test(text), 'the likely couriers first');
  });

  test('e changes the label', async () => {
    const { monitor, screen } = await startBoard([aParcel({ label: 'Lamp' })]);
    await screen.type('e').waitForText('label of Lamp ▸ Lamp');
    screen.type('\u0015');
    for (const key of 'Red lamp') screen.type(key);
    await screen.type('\r').waitForText('Lamp is now called Red lamp.');
    expect(monitor.calls).toContain('edit parcel-1 {"label":"Red lamp"}');
  });

  test('p asks for the extra that the courier needs, validates it, and never shows the saved one', async () => {
    const calls: string[] = [];
    const parcel = aParcel({ courierCode: 'sfb2c', extras: { postalCode: null, phoneSuffix: '9876' } });
    const { screen } = await startBoard([parcel], { account: recordingAccount(calls) });
    const text = await screen.type('p').waitForText('phone for LX123456789CN ▸ last four digits');
    expect(text).not.toContain('9876');
    for (const key of '12\r') screen.type(key);
    await screen.waitForText('Enter the last four digits');
    for (const key of '34\r') screen.type(key);
    await screen.waitForText('Phone digits saved; registering the number again.');
    expect(calls).toEqual(['extras parcel-1 {"phoneSuffix":"1234"}']);
  });

  test('choosing a courier that needs an extra asks for it', async () => {
    const couriers = [...someCouriers, { code: 'postnl', nameEN: 'PostNL', nameCN: null, homePage: null }];
    const list = async (): Promise<CourierList> => ({ couriers, fetchedAt: 0, stale: false, problem: null });
    const { monitor, screen } = await startBoard([], { couriers: { list } });
    await screen.type('a').waitForText('@ courier');
    await screen.type('3SABC123456 @postnl\r').waitForText('postal code ▸ PostNL needs a postal code');
    await screen.type('\u001b').waitForText('add ▸ 3SABC123456 @postnl');
    await screen.type('\r').waitForText('postal code ▸');
    for (const key of '1234 AB\r') screen.type(key);
    await screen.waitForText('Added 3SABC123456.');
    expect(monitor.calls).toContain('add 3SABC123456 postnl - 1234 AB');
  });
});

describe('a message', () => {
  test('disappears automatically if it needs no action', async () => {
    const { clock, screen } = await startBoard(aBoard());
    await screen.type('x').waitForText('Press u to undo.');
    await nextTurn();
    await clock.advance(8000);
    await screen.waitUntilGone('Press u to undo.');
  });

  test('stays until the next key if the user should do something', async () => {
    const { clock, screen } = await startBoard([]);
    screen.type('a');
    for (const key of 'abcd\r') screen.type(key);
    await screen.waitForText('A tracking number must contain digits');
    await nextTurn();
    await clock.advance(60_000);
    expect(screen.text()).toContain('A tracking number must contain digits');
    await screen.type('d').waitUntilGone('A tracking number must contain digits');
  });

  test('a problem in the header is not repeated next to the parcel', async () => {
    const sentence = 'The service cannot be reached. Check the network.';
    const error = { kind: 'unreachable', message: sentence, code: null, traceId: null, at: '2026-11-19T09:00:00.000Z' };
    const { monitor, screen } = await startBoard([aParcel({ error })], { size: [220, 30] });
    await screen.waitForText(sentence);
    monitor.refresh = () => Promise.reject(new Error(sentence));
    const { polling } = monitor.getState();
    const problem = { kind: 'unreachable', message: sentence, code: null, traceId: null } as const;
    monitor.set({ polling: { ...polling, phase: 'backing-off', problem } });
    await screen.type('r').waitUntilGone('Checking ');
    expect(screen.text().split(sentence)).toHaveLength(2);
  });
});

describe('without a key', () => {
  const configFile = '/home/me/.config/parcel-monitor/config.json';
  const setup = { kind: 'not-set-up', hasKey: false, baseUrl: null, configFile } as const;

  test('if only the base URL is missing, the details do not mention the API key', async () => {
    const { screen } = await startBoard([], { board: { setup: { ...setup, hasKey: true } } });
    const details = await screen.type('D').waitForText('There is no base URL yet');
    expect(details).toContain('parcel-monitor setup');
    expect(details).toContain(configFile);
    expect(details).not.toContain('API key');
  });

  test('a refresh shows why it is not possible', async () => {
    const { screen } = await startBoard([aParcel()], { board: { setup } });
    await screen.type('r').waitForText('The service is not set up');
  });
});

describe('the terminal', () => {
  test('resizing never draws beyond the window, and restores everything', async () => {
    const { screen } = await startBoard(aBoard(), { size: [160, 50] });
    for (const [columns, rows] of [
      [160, 50],
      [80, 24],
      [40, 12],
      [38, 9],
      [200, 60],
      [84, 10],
      [83, 10],
      [120, 30],
    ] as const) {
      screen.resize(columns, rows);
      const isTooSmall = columns < 40 || rows < 10;
      const text = await screen.waitFor((shown) => {
        const [first = '', ...rest] = shown.split('\n');
        if (isTooSmall) return first.startsWith('parcel-monitor needs 40x10');
        return / ! 3 (?:need )?attention /.test(first) && (rest.at(-1)?.includes('q quit') ?? false);
      }, `a complete frame of ${columns}x${rows}`);
      const lines = text.split('\n');
      expect(lines).toHaveLength(rows);
      for (const line of lines) expect(cellWidth(line)).toBeLessThanOrEqual(columns);
      if (isTooSmall) continue;
      expect(lines.filter((line) => line.startsWith('╭') || line.startsWith('╰'))).toHaveLength(
        columns < 148 && rows >= 24 ? 4 : 2,
      );
    }
  });

  test('Ctrl+L redraws everything over the output of another program', async () => {
    const { screen } = await startBoard(aBoard());
    await screen.waitForText('Headphones');
    screen.stdout.write('\u001b[s\u001b[3;3Hwall: the system goes down\u001b[u');
    await screen.waitForText('wall: the system');
    const untouched = (await startBoard(aBoard())).screen;
    await screen.type('\u000c').waitUntilGone('wall: the system');
    expect(await screen.waitForText('No events yet.')).toBe(await untouched.waitForText('No events yet.'));
  });

  test('the saved screen is replaced row by row, even after the window has changed', async () => {
    const screen = createScreen(120, 30);
    const terminal = terminalForScreen(screen);
    terminal.showFrame(Array.from({ length: 30 }, () => 'kept '.repeat(24)));
    terminal.showProgress('Reading the watchlist');
    expect((await screen.waitForText('Reading the watchlist')).split('\n').at(-1)).toBe(' Reading the watchlist');
    screen.resize(100, 26);
    const board = { terminal };
    const shown = await (await startBoard(aBoard(), { screen, board })).screen.waitForText('No events yet.');
    expect(shown).toBe(await (await startBoard(aBoard(), { size: [100, 26] })).screen.waitForText('No events yet.'));
    expect(screen.writes().join('')).not.toMatch(/\u001b\[2J/);
    expect(screen.writes().join('').split('\u001b[?1049h')).toHaveLength(2);
  });

  test('an idle board writes nothing until its text changes', async () => {
    const { clock, screen } = await startBoard([aParcel()]);
    // The selected parcel's history is read after the first frame.
    await screen.waitForText('No events yet.');
    await screen.type('i').waitForText('checked 2 m ago');
    const before = screen.written();
    await clock.advance(20_000);
    expect(screen.written()).toBe(before);
    await clock.advance(60_000);
    await screen.waitForText('checked 3 m ago');
  });

  test('counts down every ten seconds in the last minute before the next check', async () => {
    const { clock, screen } = await startBoard([aParcel({ nextPollAt: new Date(now + 125_000).toISOString() })]);
    await screen.type('i').waitForText('in 3 m');
    await clock.advance(60_000);
    await screen.waitForText('in 2 m');
    await clock.advance(5_000);
    await nextTurn();
    await clock.advance(15_000);
    await screen.waitForText('in 50 s');
  });

  test('a change without visible text writes nothing', async () => {
    const { monitor, screen } = await startBoard([aParcel()]);
    // The selected parcel's history is read after the first frame.
    await screen.waitForText('No events yet.');
    const before = screen.written();
    monitor.change('parcel-1', { fruitlessPolls: 0 });
    await new Promise((resolve) => setImmediate(resolve));
    await screen.waitForText('No events yet.');
    expect(screen.written()).toBe(before);
  });

  test('Ctrl+Z returns the screen to the shell, and the whole frame is drawn when the board resumes', async () => {
    const resumed = Promise.withResolvers<void>();
    let stop: (stopProcess: () => Promise<void>) => void = () => undefined;
    const suspension = {
      request: () => stop(() => resumed.promise),
      subscribe: (listener: typeof stop) => {
        stop = listener;
        return () => undefined;
      },
    };
    const { screen } = await startBoard(aBoard(), { board: { suspension } });
    await screen.waitForText('Headphones');
    await screen.type('\u001a').waitUntilGone('Headphones');
    expect(screen.stdin.rawMode).toBe(false);
    const before = screen.written();
    // Nothing is drawn over the shell's output.
    screen.resize(90, 26);
    await nextTurn();
    expect(screen.written()).toBe(before);
    resumed.resolve();
    const whole = await screen.waitForText('Headphones');
    expect(whole.split('\n').at(-1)).toMatch(/q quit$/);
    expect(whole.split('\n')[1]).toMatch(/^╭.{88}╮$/);
    expect(screen.stdin.rawMode).toBe(true);
    await screen.type('j').waitFor((text) => selectedRow(text).includes('Headphones'), 'that keys work again');
  });

  test('q quits, turns raw mode off and leaves the alternate screen', async () => {
    const board = await startBoard(aBoard());
    board.screen.type('q');
    expect(await board.exit).toEqual({ reason: 'quit', error: null });
    expect(board.screen.stdin.rawMode).toBe(false);
    expect(await board.screen.waitFor((text) => text.trim() === '', 'the original screen')).toBeDefined();
  });

  test.each([
    ['a signal', 'stopped'],
    ['a closed terminal', 'hangup'],
  ] as const)('%s ends the board in the same way', async (how, reason) => {
    const board = await startBoard(aBoard());
    if (how === 'a signal') void board.stop();
    else board.screen.hangUp();
    expect((await board.exit).reason).toBe(reason);
    expect(board.screen.stdin.rawMode).toBe(false);
    // A write to a closed terminal is reported later, and is not a bug in the board.
    await nextTurn();
  });

  test('an error while drawing ends the board, and is passed on after the terminal is restored', async () => {
    const board = await startBoard(aBoard());
    board.monitor.set({ parcels: [null as never] });
    const exit = await board.exit;
    expect(exit.reason).toBe('error');
    expect(exit.error).toBeInstanceOf(TypeError);
    expect(board.screen.stdin.rawMode).toBe(false);
  });
});

test('quitting during a redraw restores the terminal', async () => {
  const listeners: (() => void)[] = [];
  const timers: (() => void)[] = [];
  const { screen, stop } = await startBoard([aParcel()], {
    board: {
      clock: {
        now: () => now,
        setTimer: (_delayMs, callback) => {
          timers.push(callback);
          return () => undefined;
        },
      },
      onWindowChange: (listener) => {
        listeners.push(listener);
        return () => undefined;
      },
    },
  });
  expect(screen.hasBracketedPaste()).toBe(true);
  for (const listener of listeners) listener();
  timers.at(-1)?.();
  await stop();
  for (let turns = 0; turns < 10; turns += 1) await nextTurn();
  await screen.waitFor(() => true);
  expect(screen.hasBracketedPaste()).toBe(false);
});
