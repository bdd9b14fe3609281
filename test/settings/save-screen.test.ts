import { statSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import type { ShowBoard } from '../../src/settings/session/context.ts';
import { pathMark } from '../../src/system/environment.ts';
import { type LastScreen, readSavedScreen, type SavedScreen, startFingerprint } from '../../src/system/saved-screen.ts';
import { createBriskClock } from '../support/brisk-clock.ts';
import { userForEachTest } from '../support/cli-user.ts';
import { eventually } from '../support/eventually.ts';

const user = userForEachTest();

const keptAt = Date.parse('2026-11-21T19:31:00Z');
const lastScreen: LastScreen = {
  frame: { rows: [' as of 20:31', 'row'], laterHeader: ' as of Sat', keptAt, dayEndsAt: keptAt + 1 },
  columns: 100,
  rows: 30,
};

const savedFile = (): string => join(user.home, '.local', 'state', 'parcel-monitor', 'last-screen');
const dataFolder = (): string => join(user.home, '.local', 'share', 'parcel-monitor');
const isSaved = (): Promise<boolean> =>
  stat(savedFile()).then(
    () => true,
    () => false,
  );
/** Opens a board that exits immediately with this screen. */
async function exitBoard(words: readonly string[] = [], screen: LastScreen = lastScreen): Promise<string> {
  const showBoard: ShowBoard = async ({ keepScreen }) => {
    keepScreen?.(screen);
    return { reason: 'quit', error: null };
  };
  const { exitCode, stderr } = await user.run(words, { showBoard });
  expect(exitCode).toBe(0);
  return stderr;
}

it('the last screen is saved for the next start, readable only by the user', async () => {
  await user.configure({ zone: 'utc' });
  await user.run(['add', 'RB100000005CN']);
  await exitBoard(['--ascii']);
  expect((await stat(savedFile())).mode & 0o777).toBe(0o600);
  const marks = new Map<string, string>();
  for (const path of [user.configFile, dataFolder()]) marks.set(path, pathMark(await stat(path)));
  marks.set('/etc/localtime', pathMark(statSync('/etc/localtime', { throwIfNoEntry: false })));
  const start = { environment: user.environment(), version: packageJson.version, columns: 100, rows: 30 };
  const read = async (given: readonly string[]) =>
    readSavedScreen(await readFile(savedFile(), 'utf8'), {
      fit: startFingerprint({ ...start, arguments: given }),
      maxRows: 30,
      now: keptAt,
      markOf: (path) => marks.get(path) ?? 'unknown',
    });
  expect(await read(['--ascii'])).toEqual(lastScreen.frame.rows);
  expect(await read([])).toBeNull();
  // The machine moved to a different zone.
  marks.set('/etc/localtime', 'another');
  expect(await read(['--ascii'])).toBeNull();
});

it('the last screen is not shown with a different key in the key file, which may have different parcels in a database', async () => {
  const keyFile = join(user.home, 'key');
  await writeFile(keyFile, 'one', { mode: 0o600 });
  await user.configure({ apiKeyFile: keyFile });
  await exitBoard();
  const kept = JSON.parse((await readFile(savedFile(), 'utf8')).split('\n')[1] ?? '') as SavedScreen;
  expect(kept.seen).toContainEqual({ path: keyFile, mark: pathMark(await stat(keyFile)) });
});

it('the last screen is not saved if the setting is off, and is deleted immediately', async () => {
  await exitBoard();
  expect(await isSaved()).toBe(true);
  await user.configure({ keepScreen: false });
  let wasThere = true;
  const showBoard: ShowBoard = async ({ keepScreen }) => {
    wasThere = await isSaved();
    keepScreen?.(lastScreen);
    return { reason: 'quit', error: null };
  };
  await user.run([], { showBoard });
  expect(wasThere).toBe(false);
  expect(await isSaved()).toBe(false);
});

it('the last screen is deleted by the command that turns it off', async () => {
  await exitBoard();
  await user.run(['config', 'set', 'keepScreen', 'true']);
  expect(await isSaved()).toBe(true);
  await user.run(['config', 'set', 'keepScreen', 'false']);
  expect(await isSaved()).toBe(false);
});

it('the last screen is saved according to the setting at the time of exit', async () => {
  await exitBoard();
  const showBoard: ShowBoard = async ({ keepScreen, onReplaced }) => {
    let isInUse = false;
    onReplaced?.(() => {
      isInUse = true;
    });
    await user.configure({ keepScreen: false });
    await eventually(() => expect(isInUse).toBe(true));
    keepScreen?.(lastScreen);
    return { reason: 'quit', error: null };
  };
  // The file is checked again after almost a second, which the clock shortens.
  await user.start([], createBriskClock(), { showBoard }).ended;
  expect(await isSaved()).toBe(false);
});

it('the last screen is not saved for the demo, setup, or a frame that the launcher would refuse', async () => {
  await exitBoard(['--demo']);
  await exitBoard(['setup']);
  await exitBoard([], { ...lastScreen, frame: { ...lastScreen.frame, rows: ['header', '\u001b[2J'] } });
  expect(await isSaved()).toBe(false);
});

it.skipIf(process.getuid?.() === 0)('the last screen causes no error if its folder is not writable', async () => {
  await exitBoard();
  const before = await readFile(savedFile(), 'utf8');
  await chmod(dirname(savedFile()), 0o500);
  const later = { ...lastScreen, frame: { ...lastScreen.frame, keptAt: keptAt + 1 } };
  expect(await exitBoard([], later)).not.toContain('last-screen');
  await chmod(dirname(savedFile()), 0o700);
  expect(await readFile(savedFile(), 'utf8')).toBe(before);
});

it('the last screen causes no error if there is something else in its place', async () => {
  await mkdir(savedFile(), { recursive: true });
  expect(await exitBoard()).toBe('');
  expect((await stat(savedFile())).isDirectory()).toBe(true);
});
