import { access, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();
const numbers = Array.from({ length: 101 }, (_, index) => `RB${100_000_000 + index}CN`);

test('a terminal asks before it adds more than a hundred numbers', async () => {
  const home = await createHome();
  const add = () => runInTerminal(process.execPath, [cli, 'add', ...numbers], { environment: home.environment });

  const refused = add();
  await refused.waitForText('This takes 101 registrations and 4 calls. Continue? [y/N]');
  refused.type('n\r');
  expect(await refused.exit).toEqual({ code: 1, signal: 0 });
  expect(refused.text()).toContain('Nothing was added.');
  await expect(access(home.watchlist)).rejects.toThrow('ENOENT');

  const interrupted = add();
  await interrupted.waitForText('[y/N]');
  interrupted.press('ctrl+c');
  expect(await interrupted.exit).toEqual({ code: 130, signal: 0 });

  const agreed = add();
  await agreed.waitForText('[y/N]');
  agreed.type('y\r');
  expect(await agreed.exit).toEqual({ code: 0, signal: 0 });
  expect(JSON.parse(await readFile(home.watchlist, 'utf8')).parcels).toHaveLength(101);
});
