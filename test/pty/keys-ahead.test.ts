import { expect, test } from 'vitest';
import type { TerminalRun } from '../support/pseudo-terminal.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { startInShell } from './shell-session.ts';

const cli = await ownProgram();

/** Much less than handling the keys one by one would take, but enough on a busy machine. */
const timeoutMs = 12_000;

async function openDemo() {
  const home = await createHome();
  const session = startInShell(home, [process.execPath, cli, '--demo']);
  await session.run.waitForText('⏎ timeline');
  return session;
}

const waitForShell = (run: TerminalRun): Promise<string> =>
  run.waitFor((text) => !run.isOnAlternateScreen() && text.includes('AFTER'), 'the shell', timeoutMs);

test('ten thousand presses of a movement key do not delay q', async () => {
  const session = await openDemo();
  session.run.type(`${'j'.repeat(10_000)}q`);
  await waitForShell(session.run);
  expect(await session.end()).toBe(0);
  await session.expectRestored();
});

test('Ctrl+C overtakes ten thousand keys that each run an action', async () => {
  const session = await openDemo();
  session.run.type(`${'t\u001b[Z'.repeat(5000)}\u0003`);
  await waitForShell(session.run);
  expect(await session.end()).toBe(0);
  await session.expectRestored();
});

test('an unfinished paste swallows neither the keys after it nor Ctrl+C', async () => {
  const { end, expectRestored, run } = await openDemo();
  await run.type('\u001b[200~RB100000005CN').waitForText('add ▸ RB100000005CN');
  run.press('escape');
  await run.type('?').waitForText('Parcel list');
  run.type('\u001b[200~RB1000');
  run.press('ctrl+c');
  await waitForShell(run);
  expect(await end()).toBe(0);
  await expectRestored();
});

test('the board searches only the first megabyte of a two-megabyte paste, and says so', async () => {
  const { end, expectRestored, run } = await openDemo();
  run.paste('RB123456785CN\n'.repeat(2_000_000 / 14));
  await run.waitFor((text) => text.includes('Only the first'), 'that the paste was cut off', 90_000);
  run.press('ctrl+c');
  await waitForShell(run);
  expect(await end()).toBe(0);
  await expectRestored();
});
