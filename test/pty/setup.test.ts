import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestFolder } from '../support/test-folder.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

test('setup takes a user from an empty home to a board with three parcels, without an editor', async () => {
  const home = await createHome();
  const sandbox = await startTestSandbox();
  onTestFinished(() => sandbox.close());
  const run = runInTerminal(process.execPath, [cli, 'setup'], { environment: home.environment });
  await run.waitForText('Which service tracks your parcels?');
  await run.type('j').waitForText('▌ Another address');
  await run.type('\r').waitForText("What is the service's address?");
  await run.type(sandbox.baseUrl).waitForText(`address ▸ ${sandbox.baseUrl}`);
  await run.type('\r').waitForText('Which header carries the API key?');
  run.type('\r');
  await run.waitForText('The API key for http://127.0.0.1');
  const typed = await run.type(sandbox.apiKey).waitForText(`${sandbox.apiKey.length} characters entered`);
  expect(typed).not.toContain(sandbox.apiKey);
  const checked = await run.type('\r').waitForText('it works; press Enter to continue');
  expect(checked).toMatch(/✓ API key +set \(entered\), accepted/);
  await run.type('\r').waitForText('▌ A file that only you can read');
  await run.type('\r').waitForText('What is your time zone?');
  await run.type('\r').waitForText('How do you want to be notified of changes?');
  await run.type('\r').waitForText('Your first numbers');
  for (const number of ['1Z999AA10123456784', 'SF1234567890123', 'RB848719115CN']) {
    await run.type(`${number}\r`).waitForText(`✓ ${number}`);
  }
  await run.type('\r').waitFor(
    (text) =>
      text.includes('1 All') &&
      !text.includes('Waiting for registration') &&
      // The list truncates long numbers.
      ['1Z99', 'SF12', 'RB84'].every((number) => text.includes(number)),
    'the board with three parcels that the service knows',
  );
  run.type('q');
  expect(await run.exit).toEqual({ code: 0, signal: 0 });
  const config = await readFile(home.config, 'utf8');
  expect(config).toContain(sandbox.baseUrl);
  expect(config).not.toContain(sandbox.apiKey);
  expect((await stat(home.config)).mode & 0o777).toBe(0o600);
  const watchlist = JSON.parse(await readFile(home.watchlist, 'utf8'));
  expect(watchlist.parcels).toHaveLength(3);
});

test('a key command can prompt in the terminal, and the setup screen returns afterwards', async () => {
  const home = await createHome();
  const sandbox = await startTestSandbox();
  onTestFinished(() => sandbox.close());
  const folder = await createTestFolder();
  const command = join(folder, 'ask');
  const ask = `printf 'Passphrase: ' > /dev/tty; read -r answer < /dev/tty; [ "$answer" = jopen ] && echo ${sandbox.apiKey}`;
  await writeFile(command, `#!/bin/sh\n${ask}\n`);
  await chmod(command, 0o755);
  const run = runInTerminal(process.execPath, [cli, 'setup', '--base-url', sandbox.baseUrl], {
    environment: home.environment,
  });
  await run.waitForText('The API key for http://127.0.0.1');
  await run.type('\u001b[B').waitForText('▌ A command that prints it');
  await run.type(command).waitForText('command ▸ ');
  await run.type('\r').waitFor((text) => !run.isOnAlternateScreen() && text.includes('Passphrase:'), 'the prompt');
  expect(run.text()).toContain('which may ask for input');
  await run
    .type('jopen\r')
    .waitFor(
      (text) => run.isOnAlternateScreen() && text.includes('it works; press Enter to continue'),
      'the result of the check',
    );
  run.press('ctrl+c');
  expect((await run.exit).signal).toBe(0);
});
