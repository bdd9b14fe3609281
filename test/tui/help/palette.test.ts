import { describe, expect, test } from 'vitest';
import { aBoard, aParcel } from '../../board/parcels.ts';
import { eventually } from '../../support/eventually.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

const selectedAction = (text: string): string => /▌(.*?) *│/.exec(text)?.[1]?.trim() ?? '';
const typeOneByOne = ({ screen }: RunningBoard, text: string): void => {
  for (const key of text) screen.type(key);
};

describe('a search in the help', () => {
  test('narrows it, and Enter runs the selected action: "archive" archives', async () => {
    const board = await startBoard([aParcel({ label: 'Lamp' })]);
    const { monitor, screen } = board;
    await screen.waitForText('Lamp');
    await screen.type('?').waitForText('search ');
    typeOneByOne(board, 'archive');
    await screen.waitFor((text) => selectedAction(text).includes('Archive, or restore'), 'archive selected');
    await eventually(() => expect(screen.cursor()).toEqual({ row: 2, column: 16 }));
    await screen.type('\r').waitForText('Archived Lamp.');
    expect(monitor.calls).toContain('archive parcel-1');
  });

  test('works even if it is typed in the same write that opens the help', async () => {
    const { screen } = await startBoard([aParcel({ label: 'Lamp' })]);
    await screen.waitForText('Lamp');
    await screen.type('?archive, or\r').waitForText('Archived Lamp.');
  });

  test('can be browsed with the arrows, starting at the first match', async () => {
    const board = await startBoard(aBoard());
    board.screen.type('?');
    typeOneByOne(board, 'refresh');
    await board.screen.waitFor((text) => selectedAction(text).startsWith('r '), 'the first match');
    await board.screen.type('\u001b[B').waitFor((text) => selectedAction(text).startsWith('R '), 'the second match');
    await board.screen
      .type('\u001b[A')
      .waitFor((text) => selectedAction(text).startsWith('r '), 'the first match again');
  });

  test('is cleared by Escape, which then closes the help, as does Enter with nothing selected', async () => {
    const board = await startBoard(aBoard());
    const { screen } = board;
    screen.type('?');
    typeOneByOne(board, 'zzz');
    await screen.waitForText('Nothing found. Try fewer letters.');
    screen.type('\r');
    await screen.type('\u001b').waitForText('an action, such as archive');
    await screen.type('\u001b').waitForText('1 All');
    await screen.type('?').waitForText('an action, such as archive');
    await screen.type('\r').waitForText('1 All');
  });

  test('shows what is not available, and why', async () => {
    const board = await startBoard([]);
    const { screen } = board;
    screen.type('?');
    typeOneByOne(board, 'archive, or');
    await screen.waitForText('No parcel is selected. Press a to add one.');
    await screen
      .type('\r')
      .waitFor((text) => text.split('\n').at(-1)?.includes('No parcel is selected.'), 'the reason');
    expect(screen.text()).toContain('search archive, or');
  });

  test('does not run actions that work only elsewhere', async () => {
    const board = await startBoard(aBoard());
    const { screen } = board;
    screen.type('?');
    typeOneByOne(board, 'choose this courier');
    await screen.waitForText('Works only in “Courier picker”.');
    await screen.type('\r').waitFor((text) => text.split('\n').at(-1)?.includes('Works only in'), 'the reason');
  });

  test('runs the action in the pane from which the help was opened', async () => {
    const board = await startBoard(aBoard());
    const { screen } = board;
    await screen.type('\r').waitForText('h list');
    screen.type('?');
    typeOneByOne(board, 'back to the list');
    await screen.waitFor((text) => selectedAction(text).includes('Back to the list'), 'the matching action');
    await screen.type('\r').waitForText('⏎ timeline');
  });
});

describe('the footer of the help', () => {
  const footer = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

  test('shows that Enter closes it until something is selected', async () => {
    const { screen } = await startBoard(aBoard());
    screen.type('?');
    expect(footer(await screen.waitForText('an action, such as archive'))).toMatch(/⏎ close/);
    await screen.type('\u001b[B').waitFor((text) => footer(text).includes('⏎ run'), 'a key selected');
    await screen.type('\u001b').waitForText('1 All');
    await screen.type('?').waitFor((text) => footer(text).includes('⏎ close'), 'nothing selected');
    await screen.type('refresh').waitFor((text) => footer(text).includes('⏎ run'), 'the first match');
  });
});

describe('the help over a pane or a prompt', () => {
  const panes: readonly (readonly [name: string, open: string, title: string, binding: string, back: string])[] = [
    ['the news', 'n', 'News', 'Go to the parcel', 'News'],
    ['the details', 'D', 'Details', 'Close the details', 'Esc close'],
    ['the orders', 's', 'Order', 'Use this order', 'Order'],
    ['a prompt', 'd', 'Yes or no', 'Yes, do it', 'here and at the service?'],
    [
      'found numbers',
      '\u001b[200~Hello, it is 1Z999AA10123456784, yours\u001b[201~',
      'Numbers found',
      'Choose the courier',
      'Numbers found',
    ],
  ];

  test.each(panes)(
    'opens from %s, with its keys first, and Esc returns there',
    async (_name, open, title, binding, back) => {
      const board = await startBoard([aParcel({ label: 'Lamp' })], { size: [120, 40] });
      const { screen } = board;
      await screen.waitForText('Lamp');
      await screen.type(open).waitForText(back);
      const text = await screen.type('?').waitForText('search ');
      expect(text.split('\n').findIndex((row) => row.includes(`│ ${title}`))).toBe(3);
      expect(text).toContain(binding);
      await screen.type('\u001b').waitUntilGone('search ');
      expect(screen.text()).toContain(back);
    },
  );

  test('runs the selected action there', async () => {
    const board = await startBoard([aParcel({ label: 'Lamp' })], { size: [120, 40] });
    const { screen } = board;
    await screen.waitForText('Lamp');
    await screen.type('\u001b[200~Hello, it is 1Z999AA10123456784, yours\u001b[201~').waitForText('Add 1 number');
    await screen.type('?').waitForText('search ');
    typeOneByOne(board, 'leave out the number');
    await screen.waitFor((text) => selectedAction(text).includes('leave out the number'), 'the key');
    await screen.type('\r').waitForText('Nothing to add.');
    expect(screen.text()).toContain('Numbers found');
  });

  test('shows where the keys of other panes work', async () => {
    const board = await startBoard([aParcel({ label: 'Lamp' })], { size: [120, 40] });
    const { monitor, screen } = board;
    await screen.waitForText('Lamp');
    await screen.type('D').waitForText('Esc close');
    await screen.type('?').waitForText('search ');
    typeOneByOne(board, 'refresh');
    await screen.waitForText('Close “Details” first.');
    await screen.type('\r').waitForText('Close “Details” first.');
    expect(monitor.calls).not.toContain('refresh parcel-1');
  });
});

describe('the palette', () => {
  const command = async (board: RunningBoard, text: string): Promise<void> => {
    await board.screen.type(':').waitForText('search :');
    typeOneByOne(board, text);
    await board.screen.waitForText(`search :${text}`);
    board.screen.type('\r');
  };

  test('sorts, filters, labels and tags with an argument', async () => {
    const board = await startBoard([aParcel({ label: 'Lamp' })]);
    const { monitor, screen } = board;
    await screen.waitForText('Lamp');
    await command(board, 'order exp');
    await screen.waitForText('by expected delivery');
    await command(board, 'label Desk lamp');
    await eventually(() => expect(monitor.getState().parcels[0]?.label).toBe('Desk lamp'));
    await command(board, 'tag gift');
    await eventually(() => expect(monitor.getState().parcels[0]?.tags).toEqual(['gift']));
    await command(board, 'filter desk');
    await screen.waitForText('“desk”');
  });

  test('lists the orders if the order is unknown', async () => {
    const board = await startBoard([aParcel({ label: 'Lamp' })]);
    await command(board, 'order zebra');
    await board.screen.waitForText('Use: urgency, newest-event');
  });

  test('exports the listed parcels to a file', async () => {
    const written: (readonly [file: string, parcels: number])[] = [];
    const exportParcels = async (file: string, parcels: readonly unknown[]): Promise<void> => {
      written.push([file, parcels.length]);
    };
    const board = await startBoard([aParcel({ label: 'Lamp' })], { board: { exportParcels } });
    await board.screen.waitForText('Lamp');
    await command(board, 'export late.csv');
    await board.screen.waitForText('Exported 1 parcel to late.csv.');
    expect(written).toEqual([['late.csv', 1]]);
  });

  test('completes a command and its argument with Tab, and Escape closes it', async () => {
    const board = await startBoard([aParcel({ label: 'Lamp' })]);
    const { screen } = board;
    await screen.type(':').waitForText('search :');
    typeOneByOne(board, 'or\t');
    await screen.waitForText('search :order');
    typeOneByOne(board, ' lab\t');
    await screen.waitForText('search :order label');
    await screen.type('\u001b').waitUntilGone('search ');
  });
});

test('an unbound key shows a message that points to the help', async () => {
  const { screen } = await startBoard([aParcel({ label: 'Lamp' })]);
  await screen.waitForText('Lamp');
  await screen.type('Q').waitForText('Q does nothing here. Press ? for help.');
});

test('Tab in the help switches between the keys of all panes and those of the current one', async () => {
  const { screen } = await startBoard([aParcel({ label: 'Lamp' })], { size: [120, 40] });
  await screen.waitForText('Lamp');
  await screen.type('?').waitForText('Tab: the keys of all panes');
  await screen.type('\t').waitForText('Tab: only the keys here');
  await screen.type('\t').waitForText('Tab: the keys of all panes');
});
