import { expect, test } from 'vitest';
import { UsageError } from '../../../src/settings/errors.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

const table = 'Order,Tracking number,Item\n1001,RB100000005CN,Lamp\n1002,1Z999AA10123456784,Desk\n';
const files = {
  async read(file: string): Promise<Uint8Array> {
    if (file === 'shop/empty.csv') return Buffer.from('Nothing here');
    if (file !== 'shop/orders.csv') throw new UsageError(`There is no file ${file}.`);
    return Buffer.from(table);
  },
  isPath: (pasted: string) => pasted === 'shop/orders.csv',
  completions: (typed: string) =>
    ['shop/', 'shop/empty.csv', 'shop/orders.csv'].filter(
      (path) =>
        path !== typed && path.startsWith(typed) && path.lastIndexOf('/', path.length - 2) <= typed.lastIndexOf('/'),
    ),
};

const start = async (options: Parameters<typeof startBoard>[1]): Promise<RunningBoard> => {
  const board = await startBoard([], options);
  return board;
};

test('I lists the numbers in a file like those in pasted text, and Tab completes its path folder by folder', async () => {
  const { screen } = await start({ board: { files }, size: [120, 35] });
  await screen.waitForText('No parcels yet');
  expect(await screen.type('I').waitForText('Tab completes')).toContain('⏎ read');
  await screen.type('s\t').waitForText('shop/');
  await screen.type('\t').waitForText('file ▸ shop/empty.csv');
  await screen.type('\t').waitForText('file ▸ shop/orders.csv');
  const found = await screen.type('\r').waitForText('RB100000005CN');
  expect(found).toContain('shop/orders.csv');
  expect(found).toMatch(/1Z999AA10123456784.*Desk/);
});

test('I says why a file cannot be read or that it contains no number, and so does :import', async () => {
  const { screen } = await start({ board: { files }, size: [120, 35] });
  await screen.waitForText('No parcels yet');
  await screen.type('Inope.csv\r').waitForText('There is no file nope.csv.');
  await screen.type(':import shop/empty.csv\r').waitForText('No tracking number found in shop/empty.csv.');
});

test('a file is read if its path is pasted, as when it is dragged onto the terminal', async () => {
  const { screen } = await start({ board: { files }, size: [120, 35] });
  await screen.waitForText('No parcels yet');
  const found = await screen.type('\u001b[200~shop/orders.csv\u001b[201~').waitForText('RB100000005CN');
  expect(found).toContain('shop/orders.csv');
});

test('I does not read files in the demo', async () => {
  const { screen } = await start({ size: [120, 35] });
  await screen.waitForText('No parcels yet');
  await screen.type('I').waitForText('The demo cannot read files.');
});
