import { writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startScriptedServer } from '../support/scripted-server.ts';
import { openAccount } from './account.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';

const cli = await ownProgram();

test('quitting does not wait for a server that never responds', async () => {
  const server = await startScriptedServer(() => {
    // The connection stays open and silent.
  });
  onTestFinished(() => server.close());
  const account = await openAccount(await createHome(), cli);
  // Waiting for the server would take longer than the test may.
  await writeFile(account.home.config, JSON.stringify({ service: { timeoutSeconds: 600 } }));
  const run = account.openBoard(server.baseUrl.href);
  await run.waitForText('⏎ timeline');
  await run.type('r').waitForText('Checking');
  run.type('q');
  expect(await run.exit).toEqual({ code: 0, signal: 0 });
});
