import { writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startCuttingProxy } from '../support/postgres/cutting-proxy.ts';
import { createTestDatabase } from '../support/postgres/test-server.ts';
import { type Account, openAccount } from './account.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { startInShell } from './shell-session.ts';

const cli = await ownProgram();
const unreachableService = 'http://127.0.0.1:9/';

/** A user whose watchlist is in a database that can be made unreachable. */
async function createDatabaseAccount() {
  const account: Account = await openAccount(await createHome(), cli);
  const database = await createTestDatabase();
  const proxy = await startCuttingProxy(database.address);
  onTestFinished(() => proxy.close());
  const address = proxy.through(database.address);
  await writeFile(account.home.config, JSON.stringify({ store: address }), { mode: 0o600 });
  return { account, proxy };
}

test('without its database, the board shows the saved screen or a progress line, and retries until it can go live', async () => {
  const { account, proxy } = await createDatabaseAccount();
  await proxy.refuse(true);
  const first = startInShell(account.home, [process.execPath, cli], {
    size: [160, 40],
    environment: account.environmentFor(unreachableService),
  });
  await first.run.waitForText('Retrying in');
  expect(first.run.outputSince(0)).not.toContain('as of ');
  first.run.type('q');
  expect(await first.end()).toBe(0);
  await first.expectTerminalAsBefore();

  await proxy.refuse(false);
  const board = account.openBoard(unreachableService);
  await board.waitForText('No parcels');
  board.type('q');
  expect((await board.exit).code).toBe(0);

  await proxy.refuse(true);
  const reopened = account.openBoard(unreachableService);
  const savedScreen = await reopened.waitForText('Retrying in');
  expect(savedScreen).toContain('as of ');
  await proxy.refuse(false);
  await reopened.waitUntilGone('as of ');
  await reopened.waitForText('No parcels');
  reopened.press('ctrl+c');
  expect((await reopened.exit).code).toBe(0);
});

test('Ctrl+C stops waiting for the database and restores the terminal', async () => {
  const { account, proxy } = await createDatabaseAccount();
  await proxy.refuse(true);
  const session = startInShell(account.home, [process.execPath, cli], {
    size: [160, 40],
    environment: account.environmentFor(unreachableService),
  });
  await session.run.waitForText('Retrying in');
  session.run.press('ctrl+c');
  expect(await session.end()).toBe(130);
  await session.expectTerminalAsBefore();
});
