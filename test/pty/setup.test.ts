import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestSandbox } from '../support/test-sandbox.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

test('from an empty home to a board with three parcels, with one command and no editor', async () => {
  const home = await createHome();
  const sandbox = await startTestSandbox();
  onTestFinished(() => sandbox.close());
  const run = runInTerminal(process.execPath, [cli, 'setup'], { environment: home.environment });
  await run.waitForText('Which service tracks your parcels?');
  run.type('j');
  await run.waitForText('▌ Another address');
  run.type('\r');
  await run.waitForText('What is the address of the service?');
  run.type(sandbox.baseUrl);
  await run.waitForText(`address ▸ ${sandbox.baseUrl}`);
  run.type('\r');
  await run.waitForText('Which header carries the key?');
  run.type('\r');
  await run.waitForText('The key of http://127.0.0.1');
  run.type(sandbox.apiKey);
  const typed = await run.waitForText(`${sandbox.apiKey.length} characters entered`);
  expect(typed).not.toContain(sandbox.apiKey);
  run.type('\r');
  const proved = await run.waitForText('it works, Enter continues');
  expect(proved).toMatch(/✓ API key +set \(entered\), accepted/);
  run.type('\r');
  await run.waitForText('▌ A file that only you can read');
  run.type('\r');
  await run.waitForText('What is your time zone?');
  run.type('\r');
  await run.waitForText('How should you be notified of changes?');
  run.type('\r');
  await run.waitForText('Your first numbers');
  for (const number of ['1Z999AA10123456784', 'SF1234567890123', 'RB848719115CN']) {
    run.type(`${number}\r`);
    await run.waitForText(`✓ ${number}`);
  }
  run.type('\r');
  await run.waitFor(
    (text) =>
      text.includes('1 All') &&
      !text.includes('Waiting for registration') &&
      // A cell of the list cuts long numbers.
      ['1Z99', 'SF12', 'RB84'].every((number) => text.includes(number)),
    'the board with three parcels that the service knows',
  );
  run.type('q');
  expect(await run.exit).toEqual({ code: 0, signal: 0 });
  const config = await readFile(home.config, 'utf8');
  expect(config).toContain(sandbox.baseUrl);
  expect(config).not.toContain(sandbox.apiKey);
  expect((await stat(home.config)).mode & 0o777).toBe(0o600);
  const kept = JSON.parse(await readFile(home.watchlist, 'utf8'));
  expect(kept.parcels).toHaveLength(3);
});

test('a key command can ask in the terminal, and the screen returns afterwards', async () => {
  const home = await createHome();
  const sandbox = await startTestSandbox();
  onTestFinished(() => sandbox.close());
  const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-ask-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const command = join(folder, 'ask');
  const ask = `printf 'Passphrase: ' > /dev/tty; read -r answer < /dev/tty; [ "$answer" = jopen ] && echo ${sandbox.apiKey}`;
  await writeFile(command, `#!/bin/sh\n${ask}\n`);
  await chmod(command, 0o755);
  const run = runInTerminal(process.execPath, [cli, 'setup', '--base-url', sandbox.baseUrl], {
    environment: home.environment,
  });
  await run.waitForText('The key of http://127.0.0.1');
  run.type('\u001b[B');
  await run.waitForText('▌ A command that prints it');
  run.type(command);
  await run.waitForText('command ▸ ');
  run.type('\r');
  await run.waitFor((text) => !run.isOnAlternateScreen() && text.includes('Passphrase:'), 'the question');
  expect(run.text()).toContain('which may ask for input');
  run.type('jopen\r');
  await run.waitFor((text) => run.isOnAlternateScreen() && text.includes('it works, Enter continues'), 'the proof');
  run.press('ctrl+c');
  expect((await run.exit).signal).toBe(0);
});
