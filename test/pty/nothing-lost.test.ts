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

/** Types a number into the bar and leaves it. The row appears even if it could not be saved. */
async function add(run: TerminalRun, trackNo: string, label: string): Promise<void> {
  await run.type('a').waitForText('Esc leave');
  await run
    .type(`${trackNo} "${label}"\r`)
    .waitFor((text) => new RegExp(`${label} +Waiting for registration`).test(text), `a row of ${label}`);
  await run.press('escape').waitForText('⏎ timeline');
}

/** A row is shown before it is written. */
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

async function homeOnDisk(): Promise<{ readonly home: Home; readonly disk: SmallDisk } | null> {
  const disk = await mountSmallDisk();
  if (disk === null) return null;
  onTestFinished(() => disk.remove());
  return { disk, home: await createHome({ XDG_DATA_HOME: join(disk.path, 'data') }) };
}

const onDisk = (disk: SmallDisk): string => join(disk.path, 'data', 'parcel-monitor', 'watchlist.json');

test('on a full disk the board says so, keeps running, and saves the entries when there is space', async ({ skip }) => {
  const place = await homeOnDisk();
  if (place === null) return skip('no disk can be mounted here');
  const { disk, home } = place;
  const run = await openBoard(home);
  await add(run, '1Z999AA10123456784', 'Lamp');
  await expectWritten(onDisk(disk), ['Lamp']);
  // Its line of the change log comes right after it.
  await eventually(async () =>
    expect(await readFile(join(dirname(onDisk(disk)), 'changes.jsonl'), 'utf8')).toMatch(/\n$/),
  );
  await disk.fill();
  await add(run, 'RB100000003CN', 'Kettle');
  await run.waitForText('No space left to write');
  expect(run.text()).toMatch(/Unsaved changes: do not quit before they are saved/);
  await expectWritten(onDisk(disk), ['Lamp']);
  await disk.free();
  await expectWritten(onDisk(disk), ['Lamp', 'Kettle']);
  await run.waitFor((text) => !text.includes('storage error'), 'no trouble any more');
  await quit(run);
});

test('on a read-only disk the board shows the parcels and says that nothing is saved', async ({ skip }) => {
  const place = await homeOnDisk();
  if (place === null) return skip('no disk can be mounted here');
  const { disk, home } = place;
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
  const told = run.normalScreen().replaceAll('\n', '');
  expect(told).toContain('read-only file system');
  expect(told).toContain('Not saved: added RB100000003CN.');
  await disk.protect(false);
  await expectWritten(onDisk(disk), ['Lamp']);
});

test('nothing is lost if the folder is removed, linked elsewhere and edited while the board runs', async () => {
  const home = await createHome();
  const folder = dirname(home.watchlist);
  const run = await openBoard(home);
  await add(run, '1Z999AA10123456784', 'Lamp');
  await expectWritten(home.watchlist, ['Lamp']);
  // A change's last file. Without it, the board would also show that message.
  await eventually(() => access(join(folder, 'changes.jsonl')));
  await rm(folder, { recursive: true });
  const told = await run.waitFor(
    (text) => /no longer exists|New lines of the change log/.test(text),
    'what is missing',
  );
  if (!told.includes('no longer exists')) run.type('\u001b');
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

test('a file of a newer version that appears is not touched, and the board says so and shows the last known data', async () => {
  const home = await createHome();
  const run = await openBoard(home);
  await add(run, '1Z999AA10123456784', 'Lamp');
  await expectWritten(home.watchlist, ['Lamp']);
  const newer = '{"version":99,"parcels":{"other":"shape"}}';
  // At once: half a file would count as damaged.
  await writeFile(`${home.watchlist}.new`, newer);
  await rename(`${home.watchlist}.new`, home.watchlist);
  await run.waitForText('newer version of parcel-monitor');
  await add(run, 'RB100000003CN', 'Kettle');
  run.type('q');
  expect((await run.exit).code).toBe(1);
  expect(run.normalScreen().replaceAll('\n', '')).toContain('newer version of parcel-monitor');
  expect(await readFile(home.watchlist, 'utf8')).toBe(newer);
});

test('a damaged watchlist is moved aside, and the newest good backup is offered by name', async () => {
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
