import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testClockEnvironment } from '../clock/clock-shift.ts';
import { type Account, openAccount } from './account.ts';
import { selectedIndex } from './board-screen.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { startInShell } from './shell-session.ts';

const cli = await ownProgram();
const unreachableService = 'http://127.0.0.1:9/';

/** An environment that runs a line of code before `main.js` is loaded. */
const beforeMain = (code: string): Readonly<Record<string, string>> => {
  const hook = `import { registerHooks } from 'node:module';
import { existsSync } from 'node:fs';
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
registerHooks({
  load(url, context, next) { if (url.endsWith('/dist/main.js')) { ${code} } return next(url, context); },
});`;
  // Keeps the test clock, because the saved frame's age depends on it.
  const clockOptions = testClockEnvironment()['NODE_OPTIONS'] ?? '';
  return { NODE_OPTIONS: `${clockOptions} --import=data:text/javascript,${encodeURIComponent(hook)}`.trim() };
};

/** A user who has quit the board, which saved its screen. */
async function accountWithSavedScreen(): Promise<Account> {
  const account = await openAccount(await createHome(), cli);
  const board = account.openBoard(unreachableService);
  await board.waitForText('times: local');
  board.type('q');
  expect((await board.exit).code).toBe(0);
  return account;
}

test('the last screen appears before the program is loaded, accepts keys, and is replaced by the live board', async () => {
  const account = await accountWithSavedScreen();
  const goFile = join(account.home.notes, 'go');
  const board = account.openBoard(
    unreachableService,
    beforeMain(`while (!existsSync(${JSON.stringify(goFile)})) pause();`),
  );
  const savedScreen = await board.waitForText('as of ');
  expect(savedScreen).toContain('Headphones');
  expect(savedScreen).toContain('q quit');
  expect(board.isOnAlternateScreen()).toBe(true);
  const mark = board.written();
  board.type('j?');
  await writeFile(goFile, '');
  await board.waitForText('Parcel list');
  const output = board.outputSince(mark);
  expect(output).not.toContain('j?');
  // The alternate screen is not entered again, scrolled or cleared above its last row: rows are replaced in place.
  expect(output.replaceAll(/\u001b\[40;1H\u001b\[J/g, '')).not.toMatch(/\u001b\[\?1049h|\u001b\[\d*J/);
  expect(board.isUnbroken()).toBe(true);
  const live = await board.press('escape').waitForText('▌');
  expect(live).not.toContain('as of ');
  expect(selectedIndex(live)).toBeGreaterThan(selectedIndex(savedScreen));
  board.type('q');
  expect((await board.exit).code).toBe(0);
});

test('an error while loading the program is printed on the normal screen', async () => {
  const account = await accountWithSavedScreen();
  const session = startInShell(account.home, [process.execPath, cli], {
    size: [160, 40],
    environment: {
      ...account.environmentFor(unreachableService),
      ...beforeMain("throw new Error('the roof fell in');"),
    },
  });
  expect(await session.end()).toBe(1);
  const output = session.run.outputSince(0);
  expect(output).toContain('as of ');
  expect(output.indexOf('could not be loaded')).toBeGreaterThan(output.indexOf('\u001b[?1049l'));
  expect(session.run.normalScreen()).toContain('Reinstall it');
  await session.expectTerminalAsBefore();
});

test('invalid settings are reported on the normal screen', async () => {
  const home = await createHome();
  const account = await openAccount(home, cli);
  // The key command's output is unknown until the program is loaded.
  const key = join(home.notes, 'key');
  await writeFile(key, 'a-key');
  await writeFile(home.config, JSON.stringify({ apiKeyCommand: ['cat', key] }), { mode: 0o600 });
  const environment = { ...account.environmentFor(unreachableService), PARCEL_MONITOR_API_KEY: '' };
  const board = account.openBoard(unreachableService, environment);
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

test('the saved screen is not shown in a window of a different size, and the demo leaves it alone', async () => {
  const account = await accountWithSavedScreen();
  const environment = account.environmentFor(unreachableService);
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
