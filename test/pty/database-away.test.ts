import { writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startCuttingProxy } from '../support/postgres/cutting-proxy.ts';
import { createTestDatabase } from '../support/postgres/test-server.ts';
import { type Account, openAccount } from './account.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { startInShell } from './shell-session.ts';

const cli = await ownProgram();
const nobody = 'http://127.0.0.1:9/';

/** A user whose watchlist is in a database that can be taken away. */
async function inDatabase() {
  const account: Account = await openAccount(await createHome(), cli);
  const database = await createTestDatabase();
  const proxy = await startCuttingProxy(database.address);
  onTestFinished(() => proxy.close());
  const address = proxy.through(database.address);
  await writeFile(account.home.config, JSON.stringify({ store: address }), { mode: 0o600 });
  return { account, proxy };
}

test('without its database, the board shows the saved screen or else a line, retries, and becomes live', async () => {
  const { account, proxy } = await inDatabase();
  await proxy.refuse(true);
  const first = startInShell(account.home, [process.execPath, cli], {
    size: [160, 40],
    environment: account.environmentFor(nobody),
  });
  await first.run.waitForText('Retrying in');
  expect(first.run.outputSince(0)).not.toContain('as of ');
  first.run.type('q');
  expect(await first.end()).toBe(0);
  await first.expectTerminalAsBefore();

  await proxy.refuse(false);
  const board = account.openBoard(nobody);
  await board.waitForText('No parcels');
  board.type('q');
  expect((await board.exit).code).toBe(0);

  await proxy.refuse(true);
  const again = account.openBoard(nobody);
  const kept = await again.waitForText('Retrying in');
  expect(kept).toContain('as of ');
  await proxy.refuse(false);
  await again.waitUntilGone('as of ');
  await again.waitForText('No parcels');
  again.press('ctrl+c');
  expect((await again.exit).code).toBe(0);
});

test('Ctrl+C ends the wait for a database and restores the terminal', async () => {
  const { account, proxy } = await inDatabase();
  await proxy.refuse(true);
  const session = startInShell(account.home, [process.execPath, cli], {
    size: [160, 40],
    environment: account.environmentFor(nobody),
  });
  await session.run.waitForText('Retrying in');
  session.run.press('ctrl+c');
  expect(await session.end()).toBe(130);
  await session.expectTerminalAsBefore();
});
