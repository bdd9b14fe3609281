import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testClockEnvironment } from '../clock/clock-shift.ts';
import { type Account, openAccount } from './account.ts';
import { selectedAt } from './board-screen.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { startInShell } from './shell-session.ts';

const cli = await ownProgram();
const nobody = 'http://127.0.0.1:9/';

/** Loads a line of code before `main.js` is loaded. */
const loadingMain = (code: string): Readonly<Record<string, string>> => {
  const hook = `import { registerHooks } from 'node:module';
import { existsSync } from 'node:fs';
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
registerHooks({
  load(url, context, next) { if (url.endsWith('/dist/main.js')) { ${code} } return next(url, context); },
});`;
  // In addition to the test clock's shift: with a different clock, the frame would be from a different time.
  const others = testClockEnvironment()['NODE_OPTIONS'] ?? '';
  return { NODE_OPTIONS: `${others} --import=data:text/javascript,${encodeURIComponent(hook)}`.trim() };
};

/** A user whose board was quit. */
async function leftBoard(): Promise<Account> {
  const account = await openAccount(await createHome(), cli);
  const board = account.openBoard(nobody);
  await board.waitForText('times: local');
  board.type('q');
  expect((await board.exit).code).toBe(0);
  return account;
}

test('the last screen appears before the program is loaded, accepts keys, and is replaced by the live board', async () => {
  const account = await leftBoard();
  const go = join(account.home.notes, 'go');
  const board = account.openBoard(nobody, loadingMain(`while (!existsSync(${JSON.stringify(go)})) pause();`));
  const kept = await board.waitForText('as of ');
  expect(kept).toContain('Headphones');
  expect(kept).toContain('q quit');
  expect(board.isOnAlternateScreen()).toBe(true);
  const mark = board.written();
  board.type('j?');
  await writeFile(go, '');
  await board.waitForText('Parcel list');
  const output = board.outputSince(mark);
  expect(output).not.toContain('j?');
  // The frame is not entered again, scrolled, or cleared from its last row up: each row is replaced in place.
  expect(output.replaceAll(/\u001b\[40;1H\u001b\[J/g, '')).not.toMatch(/\u001b\[\?1049h|\u001b\[\d*J/);
  expect(board.isUnbroken()).toBe(true);
  const live = await board.press('escape').waitForText('▌');
  expect(live).not.toContain('as of ');
  expect(selectedAt(live)).toBeGreaterThan(selectedAt(kept));
  board.type('q');
  expect((await board.exit).code).toBe(0);
});

test('a loading error is printed on the shell screen', async () => {
  const account = await leftBoard();
  const session = startInShell(account.home, [process.execPath, cli], {
    size: [160, 40],
    environment: { ...account.environmentFor(nobody), ...loadingMain("throw new Error('the roof fell in');") },
  });
  expect(await session.end()).toBe(1);
  const output = session.run.outputSince(0);
  expect(output).toContain('as of ');
  expect(output.indexOf('could not be loaded')).toBeGreaterThan(output.indexOf('\u001b[?1049l'));
  expect(session.run.normalScreen()).toContain('Reinstall it');
  await session.expectTerminalAsBefore();
});

test('invalid settings are reported on the shell screen', async () => {
  const home = await createHome();
  const account = await openAccount(home, cli);
  // A command's output is not known before the program is loaded.
  const key = join(home.notes, 'key');
  await writeFile(key, 'a-key');
  await writeFile(home.config, JSON.stringify({ apiKeyCommand: ['cat', key] }), { mode: 0o600 });
  const environment = { ...account.environmentFor(nobody), PARCEL_MONITOR_API_KEY: '' };
  const board = account.openBoard(nobody, environment);
  await board.waitForText('times: local');
  board.type('q');
  expect((await board.exit).code).toBe(0);
  await writeFile(key, 'a key with spaces');
  const session = startInShell(home, [process.execPath, cli], { size: [160, 40], environment });
  expect(await session.end()).not.toBe(0);
  expect(session.run.outputSince(0)).toContain('as of ');
  expect(session.run.normalScreen()).toContain('The API key that cat printed contains spaces');
  await session.expectTerminalAsBefore();
});

test('nothing is shown in a window of a different size, and the demo does not touch the saved screen', async () => {
  const account = await leftBoard();
  const environment = account.environmentFor(nobody);
  const small = startInShell(account.home, [process.execPath, cli], { size: [100, 30], environment });
  await small.run.waitForText('times: local');
  expect(small.run.outputSince(0)).not.toContain('as of ');
  small.run.press('ctrl+c');
  expect(await small.end()).toBe(0);
  const before = await account.home.files();
  const demo = startInShell(account.home, [process.execPath, cli, '--demo'], { size: [100, 30], environment });
  await demo.run.waitForText('⏎ timeline');
  expect(demo.run.outputSince(0)).not.toContain('as of ');
  demo.run.type('q');
  expect(await demo.end()).toBe(0);
  expect(await account.home.files()).toEqual(before);
});
