import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { conflictCopies } from '../../../src/store/file/damaged-files.ts';
import { createCliUser } from '../../support/cli-user.ts';
import { createTestFolder } from '../../support/test-folder.ts';

const copies = [
  'watchlist.sync-conflict-20261123-101112-ABCDEFG.json',
  "watchlist (ann's conflicted copy 2026-11-23).json",
  'watchlist (conflicted copy 2026-11-23 101112).json',
  'watchlist_conflict-20261123-101112.json',
  'watchlist-LAPTOP-AB12.json',
  'watchlist 2.json',
  'watchlist(1).json',
  'watchlist (In Konflikt stehende Kopie von Ann 2026-11-23).json',
  'watchlist.json.sync-conflict-20261123-101112-ABCDEFG',
];

it("finds the sync tools' conflict copies, and nothing else", async () => {
  const folder = await createTestFolder();
  const others = [
    'watchlist.json',
    'watchlist.json.lock',
    '.watchlist.json.tmp',
    'changes.jsonl',
    'watchlist-old.json',
    'watchlist-2026-11-23.json',
    'my watchlist 2.json',
  ];
  for (const name of [...copies, ...others]) await writeFile(join(folder, name), '{}');
  expect(await conflictCopies([join(folder, 'watchlist.json')])).toEqual(
    copies.map((name) => join(folder, name)).sort(),
  );
  expect(await conflictCopies([join(folder, 'not-there', 'watchlist.json')])).toEqual([]);
});

it('lists conflict copies in doctor, with advice that imports the missing parcels', async () => {
  const user = await createCliUser();
  onTestFinished(() => user.remove());
  const data = join(user.home, '.local', 'share', 'parcel-monitor');
  await mkdir(data, { recursive: true, mode: 0o700 });
  expect((await user.run(['add', 'RB100000005CN'])).exitCode).toBe(0);
  const copy = join(data, 'watchlist.sync-conflict-20261123-101112-ABCDEFG.json');
  const theirs = (await readFile(join(data, 'watchlist.json'), 'utf8')).replaceAll('RB100000005CN', 'LX123456785CN');
  await writeFile(copy, theirs, { mode: 0o600 });
  const { stdout } = await user.run(['doctor', '--offline']);
  expect(stdout).toContain(`${copy} is a conflicting copy from a sync tool`);
  expect(stdout).toContain(`Run: parcel-monitor import ${copy} --dry-run`);
  expect((await user.run(['import', copy])).exitCode).toBe(0);
  expect((await user.run(['list'])).stdout).toMatch(/LX123456785CN/);
});
