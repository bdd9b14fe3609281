import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openAccount } from './account.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';

const cli = await ownProgram();

test('a command after a colon exports the listed parcels, in the format of the file extension', async () => {
  const account = await openAccount(await createHome(), cli);
  const board = account.openBoard(account.formerBaseUrl);
  await board.waitForText('i facts');
  const file = join(account.home.notes, 'listed.csv');
  await board.type(':').waitForText('search :');
  await board.type(`export ${file}`).waitForText('listed.csv');
  await board.press('enter').waitForText('Exported ');
  await eventually(async () => expect(await readFile(file, 'utf8')).toMatch(/^trackNo,courierCode,/));
  board.type('q');
  expect((await board.exit).code).toBe(0);
});
