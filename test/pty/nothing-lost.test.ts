import { access, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { mountSmallDisk, type SmallDisk } from '../support/faulty-disk.ts';
import type { TerminalRun } from '../support/pseudo-terminal.ts';
import { createHome, type Home } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

async function openBoard(home: Home): Promise<TerminalRun> {
  const run = runInTerminal(process.execPath, [cli], { size: [120, 30], environment: home.environment });
  await run.waitForText('Which service tracks your parcels?');
  return run;
}

/** Adds a number with the input bar and leaves the bar. The row appears even if the number could not be saved. */
async function add(run: TerminalRun, trackNo: string, label: string): Promise<void> {
  await run.type('a').waitForText('Esc leave');
  await run
    .type(`${trackNo} "${label}"\r`)
    .waitFor((text) => new RegExp(`${label} +Waiting for registration`).test(text), `a row for ${label}`);
  await run.press('escape').waitForText('⏎ timeline');
}

/** Waits until the parcels are saved, because rows are shown before they are written. */
async function expectWritten(path: string, labels: readonly string[]): Promise<void> {
  await eventually(async () => {
    const { parcels } = JSON.parse(await readFile(path, 'utf8'));
    expect(parcels.map(({ label }: { readonly label: string }) => label)).toEqual(labels);
  });
}

async function quit(run: TerminalRun): Promise<void> {
  run.type('q');
  expect(await run.exit).toEqual({ code: 0, signal: 0 });
}

async function createHomeOnSmallDisk(): Promise<{ readonly home: Home; readonly disk: SmallDisk } | null> {
  const disk = await mountSmallDisk();
  if (disk === null) return null;
  onTestFinished(() => disk.remove());
  return { disk, home: await createHome({ XDG_DATA_HOME: join(disk.path, 'data') }) };
}

const watchlistOn = (disk: SmallDisk): string => join(disk.path, 'data', 'parcel-monitor', 'watchlist.json');

test('the board reports a full disk, keeps running, and saves the parcels once there is space', async ({ skip }) => {
  const created = await createHomeOnSmallDisk();
  if (created === null) return skip('this machine cannot mount a small disk');
  const { disk, home } = created;
  const run = await openBoard(home);
  await add(run, '1Z999AA10123456784', 'Lamp');
  await expectWritten(watchlistOn(disk), ['Lamp']);
  // The parcel's line in the change log is written right after the watchlist.
  await eventually(async () =>
    expect(await readFile(join(dirname(watchlistOn(disk)), 'changes.jsonl'), 'utf8')).toMatch(/\n$/),
  );
  await disk.fill();
  await add(run, 'RB100000003CN', 'Kettle');
  await run.waitForText('No space left to write');
  expect(run.text()).toMatch(/Unsaved changes: do not quit before they are saved/);
  await expectWritten(watchlistOn(disk), ['Lamp']);
  await disk.free();
  await expectWritten(watchlistOn(disk), ['Lamp', 'Kettle']);
  await run.waitFor((text) => !text.includes('storage error'), 'that the storage error is gone');
  await quit(run);
});

test('the board shows the parcels on a read-only disk, and says that nothing can be saved', async ({ skip }) => {
  const created = await createHomeOnSmallDisk();
  if (created === null) return skip('this machine cannot mount a small disk');
  const { disk, home } = created;
  const first = await openBoard(home);
  await add(first, '1Z999AA10123456784', 'Lamp');
  await quit(first);
  await disk.protect(true);
  const run = runInTerminal(process.execPath, [cli], { size: [120, 30], environment: home.environment });
  await run.waitForText('Lamp');
  await add(run, 'RB100000003CN', 'Kettle');
  await run.waitForText('read-only file system');
  run.type('q');
  // Changes that could not be written are not lost silently.
  const { code } = await run.exit;
  expect(code).toBe(1);
  const printed = run.normalScreen().replaceAll('\n', '');
  expect(printed).toContain('read-only file system');
  expect(printed).toContain('Not saved: added RB100000003CN.');
  await disk.protect(false);
  await expectWritten(watchlistOn(disk), ['Lamp']);
});

test('nothing is lost if the folder is removed, replaced by a link and edited while the board is running', async () => {
  const home = await createHome();
  const folder = dirname(home.watchlist);
  const run = await openBoard(home);
  await add(run, '1Z999AA10123456784', 'Lamp');
  await expectWritten(home.watchlist, ['Lamp']);
  // A change is written here last. If this write failed, the board would report it as well.
  await eventually(() => access(join(folder, 'changes.jsonl')));
  await rm(folder, { recursive: true });
  const screen = await run.waitFor(
    (text) => /no longer exists|New lines of the change log/.test(text),
    'what went wrong',
  );
  if (!screen.includes('no longer exists')) run.type('\u001b');
  await run.waitForText('no longer exists');
  expect(run.text()).toContain('Lamp');
  await add(run, 'RB100000003CN', 'Kettle');
  await expectWritten(home.watchlist, ['Lamp', 'Kettle']);

  const elsewhere = join(home.path, 'elsewhere');
  await rename(folder, elsewhere);
  await symlink(elsewhere, folder);
  await add(run, 'LX123456785CN', 'Books');
  await expectWritten(join(elsewhere, 'watchlist.json'), ['Lamp', 'Kettle', 'Books']);

  const text = await readFile(home.watchlist, 'utf8');
  await writeFile(home.watchlist, text.replace('"Kettle"', '"Tea kettle"'));
  await run.waitForText('Tea kettle');
  await quit(run);
  await expectWritten(home.watchlist, ['Lamp', 'Tea kettle', 'Books']);
});

test('the board leaves a watchlist written by a newer version alone, says so, and keeps showing the last known data', async () => {
  const home = await createHome();
  const run = await openBoard(home);
  await add(run, '1Z999AA10123456784', 'Lamp');
  await expectWritten(home.watchlist, ['Lamp']);
  const newer = '{"version":99,"parcels":{"other":"shape"}}';
  // Renamed into place, because half a file would count as damaged.
  await writeFile(`${home.watchlist}.new`, newer);
  await rename(`${home.watchlist}.new`, home.watchlist);
  await run.waitForText('newer version of parcel-monitor');
  await add(run, 'RB100000003CN', 'Kettle');
  run.type('q');
  expect((await run.exit).code).toBe(1);
  expect(run.normalScreen().replaceAll('\n', '')).toContain('newer version of parcel-monitor');
  expect(await readFile(home.watchlist, 'utf8')).toBe(newer);
});

test('a damaged watchlist is moved aside, and the board names the newest intact backup', async () => {
  const home = await createHome();
  const backup = join(dirname(home.watchlist), 'backups', 'watchlist-2026-11-01.json');
  await mkdir(dirname(backup), { recursive: true });
  await writeFile(backup, '{"version":1,"parcels":[{"id":"a","trackNo":"RB100000003CN","label":"Kettle"}]}');
  await writeFile(home.watchlist, '{"version":1,"parcels":[{"id":');
  const run = runInTerminal(process.execPath, [cli], { size: [240, 40], environment: home.environment });
  const screen = await run.waitForText('was moved to');
  const unwrapped = screen.replace(/\s+/g, ' ');
  expect(unwrapped).toContain('watchlist.json.damaged-');
  expect(unwrapped).toContain('watchlist-2026-11-01.json');
  expect(unwrapped).toContain('parcel-monitor restore');
  await quit(run);
});
