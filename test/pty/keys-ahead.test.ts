import { expect, test } from 'vitest';
import type { TerminalRun } from '../support/pseudo-terminal.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { startInShell } from './shell-session.ts';

const cli = await ownProgram();

/** Much less than the keys would take one by one, and enough for a loaded machine. */
const patienceMs = 12_000;

async function openDemo() {
  const home = await createHome();
  const session = startInShell(home, [process.execPath, cli, '--demo']);
  await session.run.waitForText('⏎ timeline');
  return session;
}

const untilLeft = (run: TerminalRun): Promise<string> =>
  run.waitFor((text) => !run.isOnAlternateScreen() && text.includes('AFTER'), 'the shell', patienceMs);

test('ten thousand presses of a movement key do not delay q', async () => {
  const session = await openDemo();
  session.run.type(`${'j'.repeat(10_000)}q`);
  await untilLeft(session.run);
  expect(await session.end()).toBe(0);
  await session.expectRestored();
});

test('Ctrl+C overtakes ten thousand keys that each run an action', async () => {
  const session = await openDemo();
  session.run.type(`${'t\u001b[Z'.repeat(5000)}\u0003`);
  await untilLeft(session.run);
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
  await untilLeft(run);
  expect(await end()).toBe(0);
  await expectRestored();
});

test('the board searches the first megabyte of a paste of two, and says so', async () => {
  const { end, expectRestored, run } = await openDemo();
  run.paste('RB123456785CN\n'.repeat(2_000_000 / 14));
  await run.waitFor((text) => text.includes('Only the first'), 'that there is more', 90_000);
  run.press('ctrl+c');
  await untilLeft(run);
  expect(await end()).toBe(0);
  await expectRestored();
});
