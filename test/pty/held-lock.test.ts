import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { fastClockEnvironment } from '../clock/clock-shift.ts';
import { holdLock } from '../support/held-lock.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { startInShell } from './shell-session.ts';

const cli = await ownProgram();
const holder = `another process (process id ${process.pid})`;

/** A board where a number was added while another process held the watchlist's lock. */
async function boardWithUnsavedNumber(environment: Readonly<Record<string, string>> = {}) {
  const home = await createHome(environment);
  const session = startInShell(home, [process.execPath, cli], { size: [160, 30] });
  const { run } = session;
  await run.waitForText('Which service tracks your parcels?');
  const unlock = await holdLock(home.watchlist);
  let isHeld = true;
  const releaseLock = async (): Promise<void> => {
    if (isHeld) await unlock();
    isHeld = false;
  };
  onTestFinished(releaseLock);
  await run.type('a1Z999AA10123456784\r').waitForText('Waiting for registration');
  await run.press('escape').waitForText('⏎ timeline');
  const quit = async (): Promise<void> => {
    await run.type('q').waitFor((text) => text.includes('Still writing the watchlist'), 'what it is waiting for');
    expect(run.isOnAlternateScreen()).toBe(false);
    expect(run.text()).toContain(`${holder} has locked it. Ctrl+C gives up.`);
  };
  return { ...session, home, releaseLock, quit };
}

test('q restores the terminal, says what it is waiting for, and saves once the other process releases the lock', async () => {
  const { end, expectRestored, home, quit, releaseLock } = await boardWithUnsavedNumber();
  await quit();
  await releaseLock();
  expect(await end()).toBe(0);
  await expectRestored();
  expect(await readFile(home.watchlist, 'utf8')).toContain('1Z999AA10123456784');
});

test('Ctrl+C stops the wait and names the unsaved number', async () => {
  const { end, expectRestored, quit, run } = await boardWithUnsavedNumber();
  await quit();
  run.press('ctrl+c');
  expect(await end()).toBe(130);
  await expectRestored();
  expect(run.normalScreen()).toContain('Not saved: added 1Z999AA10123456784.');
});

test('the wait times out without Ctrl+C and names the unsaved number', async () => {
  const { end, expectRestored, quit, run } = await boardWithUnsavedNumber(fastClockEnvironment(5));
  await quit();
  await run.waitFor((text) => text.includes('AFTER'), 'the shell', 20_000);
  expect(await end()).toBe(1);
  await expectRestored();
  expect(run.normalScreen()).toContain('could not be saved in time. Not saved: added 1Z999AA10123456784.');
});

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('%s ends the board and names the unsaved number', async (signal, code) => {
  const { end, expectRestored, programId, run } = await boardWithUnsavedNumber();
  process.kill(await programId(), signal);
  expect(await end()).toBe(code);
  await expectRestored();
  expect(run.normalScreen()).toContain('Not saved: added 1Z999AA10123456784.');
});

test('a second signal ends the board immediately and names the unsaved number', async () => {
  const { end, expectRestored, programId, run } = await boardWithUnsavedNumber();
  const id = await programId();
  process.kill(id, 'SIGTERM');
  process.kill(id, 'SIGINT');
  expect([130, 143]).toContain(await end());
  await expectRestored();
  expect(run.normalScreen()).toContain('Not saved: added 1Z999AA10123456784.');
});
