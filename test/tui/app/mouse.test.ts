import { expect, test } from 'vitest';
import type { BoardOptions } from '../../../src/tui/run-board.tsx';
import { hour, inStatus } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

const parcels = Array.from({ length: 40 }, (_, at) => ({
  ...inStatus(String(at), at < 4 ? 'DELIVERY_FAILED' : 'IN_TRANSIT', null, (at + 1) * hour),
  label: `Lamp ${String(at).padStart(2, '0')}`,
}));

async function start(size: readonly [columns: number, rows: number] = [160, 30], board: Partial<BoardOptions> = {}) {
  const { clock, screen } = await startBoard(parcels, { size, board: { mouse: true, ...board } });
  await screen.waitForText('Lamp 00');
  const report = (button: number, column: number, row: number) =>
    screen.type(`\u001b[<${button};${column + 1};${row + 1}M\u001b[<${button};${column + 1};${row + 1}m`);
  /** Finds a text on the screen. */
  const positionOf = (text: string): readonly [column: number, row: number] => {
    const rows = screen.text().split('\n');
    const row = rows.findIndex((line) => line.includes(text));
    return [rows[row]?.indexOf(text) ?? -1, row];
  };
  return {
    clock,
    screen,
    click: (text: string) => report(0, ...positionOf(text)),
    clickAt: (column: number, row: number) => report(0, column, row),
    wheel: (button: 64 | 65, text: string) => report(button, ...positionOf(text)),
  };
}

test('a click selects a row, toggles a group, and focuses a pane or the bar', async () => {
  const { click, clickAt, screen } = await start();
  click('Lamp 03');
  await screen.waitForText('▌ ! Lamp 03');
  click('In transit');
  await screen.waitFor((text) => /› In transit/.test(text) && !text.includes('Lamp 10'), 'the group collapsed');
  click('› In transit');
  await screen.waitForText('Lamp 10');
  clickAt(150, 10);
  await screen.waitForText('⏎ zoom');
  clickAt(20, 28);
  await screen.waitForText('⏎ add');
  // No part of a report is typed.
  expect(screen.text()).not.toMatch(/[<;]\d/);
  click('Lamp 02');
  await screen.waitForText('▌ ! Lamp 02');
});

test('a click on a column name sorts by it, and a second click reverses the order', async () => {
  const { click, screen } = await start();
  click('Courier ');
  await screen.waitForText('by courier ↑');
  click('Courier ');
  await screen.waitForText('by courier ↓');
  click('Parcel ');
  await screen.waitForText('by label ↑');
});

test('a click on a tab shows its view', async () => {
  const { click, screen } = await start();
  click('2 Act now');
  await screen.waitFor((text) => !text.includes('Lamp 10'), 'the view');
  click('1 All');
  await screen.waitForText('Lamp 10');
  await screen.type(',').waitForText('Columns');
  click('■ Courier  ');
  await screen.waitForText('▌  Courier');
});

test('the wheel scrolls the pane under the pointer, and moves the selection only as far as necessary', async () => {
  const { screen, wheel } = await start([100, 30]);
  await screen.waitForText('▌ ! Lamp 00');
  for (let turn = 0; turn < 20; turn += 1) wheel(65, '1 All');
  await screen.waitForText('Lamp 39');
  expect(screen.text()).toContain('▌');
  wheel(64, '1 All');
  await screen.waitFor((text) => !text.includes('Lamp 39'), 'three rows up');
});

test('a double click zooms a pane or shows both again; two slow clicks do neither', async () => {
  const { click, clickAt, clock, screen } = await start();
  clickAt(150, 10);
  await screen.waitForText('⏎ zoom');
  await clock.advance(1000);
  clickAt(150, 10);
  click('Lamp 03');
  await screen.waitForText('▌ ! Lamp 03');
  clickAt(150, 10);
  clickAt(150, 10);
  await screen.waitFor((text) => !text.includes('1 All'), 'the timeline alone');
  clickAt(150, 10);
  clickAt(150, 10);
  await screen.waitForText('1 All');
});

test('in the help, the order menu and the picker, the wheel moves the selection and a click chooses', async () => {
  const { click, screen, wheel } = await start();
  await screen.type('s').waitForText('▌ by urgency');
  wheel(65, 'by urgency');
  await screen.waitForText('▌ by newest event');
  click('by courier');
  await screen.waitForText('Sorted by courier, A to Z.');
  await screen.type('?').waitForText('List undo and redo steps');
  click('List undo and redo steps');
  await screen.waitForText('Nothing to undo.');
  await screen.type('\u001b').waitForText('1 All');
  await screen.type('c').waitForText('DHL Express');
  click('DHL Express');
  // Waits for the result, because the message before it may disappear within a frame.
  await screen.waitForText('! this test has no account');
});

test('a click selects a day, a courier or a found number, and a second click acts on it', async () => {
  const { click, screen } = await start();
  await screen.type('w').waitForText('▌ Today');
  click('Mon 23 Nov');
  await screen.waitForText('▌ Mon 23 Nov');
  click('Mon 23 Nov');
  await screen.waitForText('“due:mon”');
  await screen.type('\u001b%').waitForText('▌ Yanwen');
  click('Yanwen');
  await screen.waitForText('“courier:"Yanwen"”');
  await screen.type('\u001b').waitFor((text) => !text.includes('“courier'), 'all');
  screen.type(
    '\u001b[200~Dear customer,\ryour parcels are 1Z999AA10123456784 of UPS\rand RB100000117CN of China Post.\r\u001b[201~',
  );
  await screen.waitForText('▌●  1Z999AA10123456784');
  click('RB100000117CN');
  await screen.waitForText('▌○  RB100000117CN');
  click('RB100000117CN');
  await screen.waitForText('▌●  RB100000117CN');
});

test('without the setting, the board requests no mouse reports and ignores any that arrive', async () => {
  const { click, screen } = await start([160, 30], { mouse: false });
  click('Lamp 03');
  await screen.type('j').waitForText('▌ ! Lamp 01');
  expect(screen.writes().join('')).not.toMatch(/\u001b\[\?100[06]/);
});
