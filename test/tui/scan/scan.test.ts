import { describe, expect, test } from 'vitest';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import type { AddedParcel } from '../../../src/parcels/parcel-list.ts';
import { CancelledError, UnreachableError } from '../../../src/service/port.ts';
import type { CourierList } from '../../../src/store/courier-directory.ts';
import { aParcel, now } from '../../board/parcels.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`;

const ups = '1Z999AA10123456784';
const post = 'RB123456785CN';
const mail = [
  'Hello Ada,',
  `your order 302-1234 is on its way: ${ups}`,
  `The second one, the kettle, comes by post: ${post}`,
  'Yours, the shop',
].join('\r');

type Size = readonly [columns: number, rows: number];

async function start(parcels: readonly Parcel[] = [], size: Size = [120, 30]): Promise<RunningBoard> {
  const board = await startBoard(parcels, { size });
  board.monitor.refresh = registerAll(board);
  return board;
}

const registerAll =
  ({ monitor }: RunningBoard): RunningBoard['monitor']['refresh'] =>
  async (ids) => {
    const registered = new Set(ids);
    const { parcels } = monitor.getState();
    monitor.set({
      parcels: parcels.map((parcel) =>
        registered.has(parcel.id) ? { ...parcel, registration: 'registered' } : parcel,
      ),
    });
    return { answered: [], changed: [], rejected: [], failure: null };
  };

async function startWithMail(parcels: readonly Parcel[] = [], size?: Size): Promise<RunningBoard> {
  const board = await start(parcels, size);
  await board.screen.type(paste(mail)).waitForText(post);
  return board;
}

const addedNumbers = ({ monitor }: RunningBoard): readonly string[] =>
  monitor.calls.filter((call) => call.startsWith('add')).map((call) => call.slice('add '.length));

const rowOf = (text: string, number: string): string =>
  text.split('\n').find((row) => row.includes(number) && row.startsWith('│')) ?? '';

describe('pasted text', () => {
  test('shows its numbers, each with its courier and line, before any is added', async () => {
    const board = await startWithMail();
    const text = await board.screen.waitForText('UPS?');
    expect(text).toContain('Numbers found');
    expect(rowOf(text, ups)).toMatch(/▌● +1Z999AA10123456784 +UPS\? +line 2 +new/);
    expect(rowOf(text, post)).toMatch(/● +RB123456785CN +.*\? +line 3 +new/);
    expect(text).toContain('Add 2 numbers: 2 registrations and 2 calls');
    expect(addedNumbers(board)).toEqual([]);
  });

  test('is added with Enter, which closes the list', async () => {
    const board = await startWithMail();
    const text = await board.screen.type('\r').waitForText('Added 2 numbers.');
    expect(text).not.toContain('Numbers found');
    expect(addedNumbers(board)).toEqual([`${ups} - -`, `${post} - -`]);
  });

  test('goes to the input bar if it consists of plain numbers', async () => {
    const board = await start();
    await board.screen.type(paste(`${ups}\r${post} "Kettle"\r`)).waitForText(`add ▸ ${ups} ⏎ ${post} "Kettle"`);
  });

  test('is listed first if it consists of many plain numbers, without duplicates', async () => {
    const board = await start();
    const numbers = Array.from({ length: 120 }, (_, n) => `JD${1000000000 + n}`);
    const text = await board.screen
      .type(paste([...numbers, ...numbers].join('\r')))
      .waitForText('Add 120 numbers: 120 registrations and 4 calls');
    expect(text).toContain('1 of 120');
    await board.screen.type('G').waitForText('120 of 120');
    expect(board.screen.text()).toContain('JD1000000119');
    await board.screen.type('\r').waitForText('Added 120 numbers.');
    expect(addedNumbers(board)).toHaveLength(120);
  });

  test('goes to the input bar with a message if it is one line without a number', async () => {
    const board = await start();
    const text = await board.screen
      .type(paste('Order of 12.11.2026, thank you!'))
      .waitForText('No tracking number found');
    expect(text).toContain('add ▸ Order of 12.11.2026, thank you!');
  });

  test('is closed behind the open help if it contains no number', async () => {
    const loading = Promise.withResolvers<CourierList>();
    const board = await startBoard([aParcel({ label: 'Lamp' })], { couriers: { list: () => loading.promise } });
    board.screen.type(paste('Order of 12.11.2026\rThank you!'));
    await board.screen.type('?').waitForText('Half a page down');
    loading.resolve({ couriers: [], fetchedAt: now, stale: false, problem: null });
    await board.screen.waitUntilGone('press Esc to stop');
    await board.screen.type('\u001b').waitForText('⏎ timeline');
  });

  test.each(['Order of 12.11.2026\rThank you!', 'Hello Ada,\rsee you'])(
    'leaves the bar unchanged if several lines contain no number, until it is pasted again: %j',
    async (lines) => {
      const board = await start();
      board.screen.type('a');
      await board.screen.type('12').waitForText('add ▸ 12');
      const text = await board.screen.type(paste(lines)).waitForText('No tracking number found');
      expect(text).toContain('Paste it again to edit it in the input bar.');
      expect(text).toMatch(/add ▸ 12 *\n/);
      await board.screen.type(paste(lines)).waitForText(`add ▸ 12${lines.replace('\r', ' ⏎ ')}`);
    },
  );
});

describe('a number in the list', () => {
  test('can be left out and chosen again', async () => {
    const board = await startWithMail();
    await board.screen.type(' ').waitForText('Add 1 number:');
    await board.screen.type('a').waitForText('Add 2 numbers:');
    await board.screen.type('a').waitForText('Nothing to add.');
    await board.screen.type(' ').waitForText('Add 1 number:');
    await board.screen.type('\r').waitUntilGone('Numbers found');
    expect(addedNumbers(board)).toEqual([`${post} - -`]);
  });

  test('can be given a different courier, label and number', async () => {
    const board = await startWithMail();
    const { screen } = board;
    screen.type('j');
    await screen.type('c').waitForText('search');
    for (const key of 'yanw') screen.type(key);
    await screen.waitForText('1 of 1');
    await screen.type('\r').waitForText('Numbers found');
    await screen.waitFor((text) => /Yanwen/.test(rowOf(text, post)), 'the courier');
    await screen.type('e').waitForText(`label of ${post}`);
    for (const key of 'Kettle') screen.type(key);
    await screen.waitForText('▸ Kettle');
    await screen.type('\r').waitFor((text) => /Kettle/.test(rowOf(text, post)), 'the label');
    await screen.type('n').waitForText(`number ▸ ${post}`);
    screen.type('\u0015');
    for (const key of 'lx123456785cn') screen.type(key);
    await screen.waitForText('▸ lx123456785cn');
    await screen.type('\r').waitForText('The text says RB123456785CN.');
    await screen.type('\r').waitUntilGone('Numbers found');
    expect(addedNumbers(board)).toEqual([`${ups} - -`, 'LX123456785CN yanwen Kettle']);
  });

  test.each([
    ['e', 'label of'],
    ['n', 'number ▸'],
  ])('stays visible while %s asks about it, even if the board was scrolled', async (key, prompt) => {
    const parcels = Array.from({ length: 365 }, (_, n) => aParcel({ id: `p${n}`, trackNo: `JD${2000000000 + n}` }));
    const board = await start(parcels);
    await board.screen.type('G').waitForText('365 of 365');
    await board.screen.type(paste(mail)).waitForText(post);
    const text = await board.screen.type(key).waitForText(prompt);
    expect(rowOf(text, ups)).toMatch(/▌● /);
    expect(rowOf(text, post)).not.toBe('');
  });

  test('shows the keys to choose all and to drop the courier, and the effect of Enter', async () => {
    const board = await startWithMail();
    await board.screen.waitForText('a none');
    expect(board.screen.text()).not.toContain('C no courier');
    await board.screen.type('a').waitForText('no number is marked ●; press Enter to close');
    expect(board.screen.text()).toContain('a all');
    await board.screen.type('c').waitForText('courier ▸ press Enter to choose');
    for (const key of 'yanw') board.screen.type(key);
    await board.screen.waitForText('1 of 1');
    await board.screen.type('\r').waitForText('C no courier');
  });
});

describe('adding', () => {
  /** Starts a board whose service registers a number each time `respond` is called. */
  async function startWithSlowService(): Promise<{ readonly board: RunningBoard; readonly respond: () => void }> {
    const board = await start();
    const waiting: (() => void)[] = [];
    board.monitor.refresh = async (ids, { signal } = {}) => {
      for (const id of ids) {
        const { promise, reject, resolve } = Promise.withResolvers<void>();
        signal?.addEventListener('abort', () => reject(new CancelledError('Adding was stopped.')));
        waiting.push(resolve);
        await promise;
        board.monitor.change(id, { registration: 'registered' });
      }
      return { answered: [], changed: [], rejected: [], failure: null };
    };
    return { board, respond: () => waiting.shift()?.() };
  }

  test('shows the progress and the state of each number', async () => {
    const { board, respond } = await startWithSlowService();
    await board.screen.type(paste(mail)).waitForText(post);
    await board.screen.type('\r').waitForText('Registering 0 of 2…');
    respond();
    const text = await board.screen.waitForText('Registering 1 of 2…');
    expect(rowOf(text, ups)).toMatch(/✓ .*added/);
    expect(rowOf(text, post)).toMatch(/waiting/);
    await board.screen.type(' ').waitForText('Press Esc to stop; nothing is lost.');
    respond();
    await board.screen.waitForText('Added 2 numbers.');
  });

  test('closes the list behind the open help when all numbers are added', async () => {
    const { board, respond } = await startWithSlowService();
    await board.screen.type(paste(mail)).waitForText(post);
    await board.screen.type('\r').waitForText('Registering 0 of 2…');
    await board.screen.type('?').waitForText('Half a page down');
    await board.screen.waitFor((text) => {
      respond();
      return !text.includes('press Esc to stop');
    });
    await board.screen.type('\u001b').waitForText('⏎ timeline');
  });

  test.each([
    ['Escape', '\u001b'],
    ['Ctrl+C', '\u0003'],
  ])('stops on %s, keeps the rest in the list and retries it', async (_name, key) => {
    const { board } = await startWithSlowService();
    const numbers = Array.from({ length: 120 }, (_, n) => `JD${1000000000 + n}`);
    await board.screen.type(paste(numbers.join('\r'))).waitForText('Add 120 numbers');
    await board.screen.type('\r').waitForText('Registering 0 of 120…');
    const text = await board.screen.type(key).waitForText('Stopped: 100 saved, to be registered later, 20 not added.');
    expect(text).toContain('Add 20 numbers');
    expect(text).toContain('101 of 120');
    expect(addedNumbers(board)).toHaveLength(100);
    board.monitor.refresh = registerAll(board);
    await board.screen.type('\r').waitForText('Added 20 numbers.');
    expect(addedNumbers(board)).toHaveLength(120);
  });

  test('shows why the service rejects a number and waits for a different courier', async () => {
    const board = await startWithMail();
    board.monitor.refresh = async (ids) => {
      for (const id of ids) {
        const error = { kind: 'rejected', code: 'A0400', message: 'Courier not supported', traceId: null };
        board.monitor.change(id, id === ups ? { registration: 'registered' } : { registration: 'rejected', error });
      }
      return { answered: [], changed: [], rejected: [], failure: null };
    };
    const text = await board.screen.type('\r').waitForText('1 added, 1 rejected by the service.');
    expect(rowOf(text, post)).toMatch(/✗ .*rejected/);
    expect(text).not.toMatch(/Add \d/);
    const detail = await board.screen.type('j').waitForText('Courier not supported');
    expect(detail).not.toContain('The service finds');
    expect(detail).toContain('Press c to choose the courier.');
    await board.screen.type('\u001b').waitUntilGone('Numbers found');
    await board.screen.type('V').waitForText('Numbers found');
  });

  test('ends if the service cannot be reached, and leaves the saved numbers to be registered later', async () => {
    const board = await startWithMail();
    board.monitor.refresh = async () => {
      throw new UnreachableError('The service cannot be reached.');
    };
    const text = await board.screen
      .type('\r')
      .waitForText('2 saved, to be registered later. The service cannot be reached.');
    expect(text).not.toContain('Numbers found');
  });

  test('keeps numbers that the store rejects in the list', async () => {
    const board = await startWithMail();
    board.monitor.addAll = async (): Promise<readonly AddedParcel[]> => {
      const { StoreError } = await import('../../../src/lib/store-errors.ts');
      throw new StoreError('failed', 'The disk is full.', 'the watchlist');
    };
    const text = await board.screen.type('\r').waitForText('2 not added. The disk is full.');
    expect(text).toContain('Add 2 numbers');
    expect(rowOf(text, ups)).toMatch(/✗ .*not added/);
  });
});

describe('numbers found by add --scan', () => {
  const scanMail = async () => {
    const { scanText } = await import('../../../src/scan/scan-text.ts');
    return { source: 'order.eml', scan: await scanText(mail.replaceAll('\r', '\n')) };
  };

  test('are shown alone, and the screen closes once they are added', async () => {
    const board = await startBoard([], { board: { initialScan: await scanMail() } });
    board.monitor.refresh = registerAll(board);
    const text = await board.screen.waitForText('order.eml');
    expect(text).toContain('choose the numbers to add');
    expect(rowOf(text, ups)).toContain('new');
    board.screen.type('\r');
    expect((await board.exit).reason).toBe('quit');
    expect(addedNumbers(board)).toEqual([`${ups} - -`, `${post} - -`]);
  });

  test.each([
    ['Escape', ['\u001b'], 'quit'],
    ['Ctrl+C', ['\u0003'], 'interrupted'],
    ['Ctrl+C in the picker', ['c', '\u0003'], 'interrupted'],
  ] as const)('are not added after %s', async (_name, keys, reason) => {
    const board = await startBoard([], { board: { initialScan: await scanMail() } });
    await board.screen.waitForText('order.eml');
    for (const key of keys) {
      board.screen.type(key);
      if (key === 'c') await board.screen.waitForText('courier ▸');
    }
    expect((await board.exit).reason).toBe(reason);
    expect(addedNumbers(board)).toEqual([]);
  });
});

test.each([
  [80, 24],
  [40, 12],
  [40, 10],
] as const)('a small window of %ix%i shows each number and its state', async (columns, rows) => {
  const board = await startWithMail([], [columns, rows]);
  const text = board.screen.text();
  expect(rowOf(text, ups)).toMatch(/1Z999AA10123456784 .*new/);
  for (const row of text.split('\n')) expect(row.length).toBeLessThanOrEqual(columns);
});
