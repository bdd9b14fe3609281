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
const left: LastScreen = {
  frame: { rows: [' as of 20:31', 'row'], laterHeader: ' as of Sat', keptAt, dayEndsAt: keptAt + 1 },
  columns: 100,
  rows: 30,
};

const keptFile = (): string => join(user.home, '.local', 'state', 'parcel-monitor', 'last-screen');
const dataFolder = (): string => join(user.home, '.local', 'share', 'parcel-monitor');
const isKept = (): Promise<boolean> =>
  stat(keptFile()).then(
    () => true,
    () => false,
  );
/** Opens a board that ends immediately with a screen. */
async function leaveBoard(words: readonly string[] = [], screen: LastScreen = left): Promise<string> {
  const showBoard: ShowBoard = async ({ keepScreen }) => {
    keepScreen?.(screen);
    return { reason: 'quit', error: null };
  };
  const { exitCode, stderr } = await user.run(words, { showBoard });
  expect(exitCode).toBe(0);
  return stderr;
}

it('is saved for the next start, readable only by the user', async () => {
  await user.configure({ zone: 'utc' });
  await user.run(['add', 'RB100000005CN']);
  await leaveBoard(['--ascii']);
  expect((await stat(keptFile())).mode & 0o777).toBe(0o600);
  const marks = new Map<string, string>();
  for (const path of [user.configFile, dataFolder()]) marks.set(path, pathMark(await stat(path)));
  marks.set('/etc/localtime', pathMark(statSync('/etc/localtime', { throwIfNoEntry: false })));
  const start = { environment: user.environment(), version: packageJson.version, columns: 100, rows: 30 };
  const read = async (given: readonly string[]) =>
    readSavedScreen(await readFile(keptFile(), 'utf8'), {
      fit: startFingerprint({ ...start, arguments: given }),
      maxRows: 30,
      now: keptAt,
      markOf: (path) => marks.get(path) ?? 'unknown',
    });
  expect(await read(['--ascii'])).toEqual(left.frame.rows);
  expect(await read([])).toBeNull();
  // The machine moved to a different zone.
  marks.set('/etc/localtime', 'another');
  expect(await read(['--ascii'])).toBeNull();
});

it('is not shown with a different key in the key file, which may have other parcels in a database', async () => {
  const keyFile = join(user.home, 'key');
  await writeFile(keyFile, 'one', { mode: 0o600 });
  await user.configure({ apiKeyFile: keyFile });
  await leaveBoard();
  const kept = JSON.parse((await readFile(keptFile(), 'utf8')).split('\n')[1] ?? '') as SavedScreen;
  expect(kept.seen).toContainEqual({ path: keyFile, mark: pathMark(await stat(keyFile)) });
});

it('is not saved if the setting is off, and is deleted immediately', async () => {
  await leaveBoard();
  expect(await isKept()).toBe(true);
  await user.configure({ keepScreen: false });
  let wasThere = true;
  const showBoard: ShowBoard = async ({ keepScreen }) => {
    wasThere = await isKept();
    keepScreen?.(left);
    return { reason: 'quit', error: null };
  };
  await user.run([], { showBoard });
  expect(wasThere).toBe(false);
  expect(await isKept()).toBe(false);
});

it('is deleted by the command that turns it off', async () => {
  await leaveBoard();
  await user.run(['config', 'set', 'keepScreen', 'true']);
  expect(await isKept()).toBe(true);
  await user.run(['config', 'set', 'keepScreen', 'false']);
  expect(await isKept()).toBe(false);
});

it('uses the setting at the time of exit', async () => {
  await leaveBoard();
  const showBoard: ShowBoard = async ({ keepScreen, onReplaced }) => {
    let isInUse = false;
    onReplaced?.(() => {
      isInUse = true;
    });
    await user.configure({ keepScreen: false });
    await eventually(() => expect(isInUse).toBe(true));
    keepScreen?.(left);
    return { reason: 'quit', error: null };
  };
  // Checking the file again takes almost a second. Here the clock skips it.
  await user.start([], createBriskClock(), { showBoard }).ended;
  expect(await isKept()).toBe(false);
});

it('is not saved for the demo, setup, or a frame that the launcher would refuse', async () => {
  await leaveBoard(['--demo']);
  await leaveBoard(['setup']);
  await leaveBoard([], { ...left, frame: { ...left.frame, rows: ['header', '\u001b[2J'] } });
  expect(await isKept()).toBe(false);
});

it.skipIf(process.getuid?.() === 0)('causes no error if the folder is not writable', async () => {
  await leaveBoard();
  const before = await readFile(keptFile(), 'utf8');
  await chmod(dirname(keptFile()), 0o500);
  const later = { ...left, frame: { ...left.frame, keptAt: keptAt + 1 } };
  expect(await leaveBoard([], later)).not.toContain('last-screen');
  await chmod(dirname(keptFile()), 0o700);
  expect(await readFile(keptFile(), 'utf8')).toBe(before);
});

it('causes no error if something else is in its place', async () => {
  await mkdir(keptFile(), { recursive: true });
  expect(await leaveBoard()).toBe('');
  expect((await stat(keptFile())).isDirectory()).toBe(true);
});
