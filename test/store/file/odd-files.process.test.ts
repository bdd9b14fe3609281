import { execFile } from 'node:child_process';
import { lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parcelOf } from '../../parcels/parcels.ts';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';
import {
  addParcels,
  createStoreFolder,
  failureOf,
  removeParcels,
  type StoreFolder,
  trackNos,
} from '../store-folder.ts';

const run = promisify(execFile);
const canMakePipes = await run('mkfifo', ['--version']).then(
  () => true,
  () => false,
);

let folder: StoreFolder;
beforeEach(async () => {
  folder = await createStoreFolder();
  await mkdir(folder.directory);
});
afterEach(() => folder.remove());

const makePipe = async (path: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await run('mkfifo', [path]);
};

/** Objects that are not regular files, and how to create them. */
const kinds: readonly (readonly [string, (path: string) => Promise<(() => void) | undefined>])[] = [
  [
    'a named pipe',
    async (path) => {
      await makePipe(path);
      return undefined;
    },
  ],
  [
    'a socket',
    async (path) => {
      const server = createServer();
      await new Promise<Server>((resolve) => server.listen(path, () => resolve(server)));
      return () => server.close();
    },
  ],
  [
    'a folder',
    async (path) => {
      await mkdir(path);
      return undefined;
    },
  ],
  [
    'a device',
    async (path) => {
      await run('mknod', [path, 'c', '1', '3']);
      return undefined;
    },
  ],
];

describe.each(kinds)('%s instead of the watchlist', (what, make) => {
  it('is refused immediately with a message, and stays in place', async ({ skip }) => {
    let remove: (() => void) | undefined;
    try {
      remove = await make(folder.indexPath);
    } catch {
      return skip(`${what} cannot be created here`);
    }
    const before = await lstat(folder.indexPath);
    const store = folder.open();
    for (const work of [
      store.read(),
      store.update(addParcels(parcelOf('RB1CN'))),
      store.newer({ revision: 0, parcels: [], changeSeq: 0 }),
    ]) {
      const { kind, message } = await failureOf(work);
      expect(kind).toBe('failed');
      expect(message).toContain(`${folder.indexPath} is ${what}, not a file`);
    }
    const after = await lstat(folder.indexPath);
    expect([after.ino, after.mode]).toEqual([before.ino, before.mode]);
    expect(await readdir(folder.directory)).toEqual(['watchlist.json']);
    remove?.();
  });
});

it('refuses a watchlist that is linked to a device, names both paths, and leaves the device alone', async ({
  skip,
}) => {
  // A device of our own, so that the machine does not lose one if this fails.
  const device = join(folder.directory, '..', 'device');
  const isCreated = await run('mknod', [device, 'c', '1', '3']).then(
    () => true,
    () => false,
  );
  if (!isCreated) return skip('no device can be created here');
  await symlink(device, folder.indexPath);
  const { message } = await failureOf(folder.open().update(addParcels(parcelOf('RB1CN'))));
  expect(message).toContain(`${folder.indexPath} points to ${device}, which is a device`);
  expect((await lstat(device)).isCharacterDevice()).toBe(true);
  expect((await readdir(dirname(device))).sort()).toEqual(['device', 'parcel-monitor']);
});

describe.skipIf(!canMakePipes)('a named pipe', () => {
  it("does not block if it replaces a history, a backup, a trash entry or a lock's owner file", async () => {
    const store = folder.open();
    await store.update(addParcels(parcelOf('RB1CN'), parcelOf('RB2CN')));
    const path = (name: string): string => join(folder.directory, name);
    await makePipe(path('history/rb1cn.json'));
    await makePipe(path('backups/watchlist-2026-11-18.json'));
    await makePipe(path('trash/removed.20261118T120000Z.0abc1def0abc1def.json'));
    await mkdir(path('watchlist.json.lock'));
    await makePipe(path('watchlist.json.lock/owner.json'));

    expect((await failureOf(store.readHistory('rb1cn'))).message).toMatch(/is a named pipe, not a file/);
    expect(await store.recovery.backups()).toMatchObject([{ parcels: null }]);
    expect(await store.recovery.trashed()).toEqual([]);
    // The holder is unknown, so the store waits as long as a live process might have the lock.
    await store.update(removeParcels('rb1cn'));
    expect(trackNos(await store.read())).toEqual(['RB2CN']);
    expect((await lstat(path('history/rb1cn.json'))).isFIFO()).toBe(true);
  }, 30_000);

  describe('as the input of a command', () => {
    let user: CliUser;
    beforeEach(async () => {
      user = await createCliUser();
    });
    afterEach(() => user.remove());

    it.each([
      ['.config/parcel-monitor/config.json', ['list'], 2],
      ['.local/share/parcel-monitor/watchlist.json', ['list'], 1],
      ['.local/share/parcel-monitor/watchlist.json', ['status'], 1],
      ['.local/share/parcel-monitor/watchlist.json', ['export', '--format', 'json'], 1],
      ['.local/state/parcel-monitor/polling.json', ['list'], 1],
      ['.cache/parcel-monitor/couriers.json', ['couriers'], 3],
      ['parcels.csv', ['import', 'parcels.csv'], 2],
    ] as const)('is refused at %s by %j, with exit code %d', async (name, command, exitCode) => {
      const path = join(user.home, name);
      await makePipe(path);
      const result = await user.run(command.map((word) => (word === 'parcels.csv' ? path : word)));
      expect(result.exitCode).toBe(exitCode);
      if (exitCode !== 3) expect(result.stderr).toMatch(/is a named pipe, not a file/);
    });

    it('is accepted if the shell passes it already open', async ({ skip }) => {
      const { builtCli } = await import('../../support/built-cli.ts');
      const program = builtCli;
      const command = `"$0" "$1" import --dry-run <(echo RB123456789CN)`;
      const environment = { ...process.env, HOME: user.home };
      const hasBash = await run('bash', ['--version']).then(
        () => true,
        () => false,
      );
      if (!hasBash) return skip('no bash here');
      const { stdout } = await run('bash', ['-c', command, process.execPath, program], { env: environment });
      expect(stdout).toContain('RB123456789CN');
    });
  });

  it('is not opened if it is next to the watchlist and named like one of our files', async () => {
    await makePipe(join(folder.directory, 'watchlist.json.next'));
    await writeFile(folder.indexPath, '{"version":1,"parc');
    const { message } = await failureOf(folder.open().read());
    expect(message).toMatch(/watchlist\.json\.next is a named pipe/);
  });
});
