import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { programBundle, root } from '../../.config/bundle.ts';
import { systemClock } from '../../src/process/system-clock.ts';
import { createFileStore } from '../../src/watchlist/store/file-store.ts';
import { seededParcels } from './seeded-parcels.ts';

const hourMs = 60 * 60_000;

/** The built program. */
export const boardScript = join(root, 'dist', 'cli.js');

/** The user of a measurement. */
export interface User {
  readonly environment: Readonly<Record<string, string>>;
}

/** Where the measurements work; nothing of it stays. */
export interface Workshop {
  /** The bare Ink program, bundled as ours is. */
  readonly bareScript: string;
  /** Environment without any of ours. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * A user with a watchlist of their own and an account at a service that never answers. Parcels are due an hour ago,
   * so that the program asks at once, or in more than six hours, so that it has nothing to do.
   */
  newUser(parcels: number, due: 'an-hour-ago' | 'in-six-hours'): Promise<User>;
  close(): Promise<void>;
}

/** Sets up a workshop in a temporary folder. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-bench-'));
  const bareFolder = join(folder, 'bare');
  await build({
    ...programBundle,
    entryPoints: { bare: join(root, 'test/bench/bare-ink.tsx') },
    outdir: bareFolder,
    metafile: false,
  });
  // As beside our own bundle; otherwise Node would parse the file twice to find out what it is.
  await writeFile(join(bareFolder, 'package.json'), '{"type":"module"}');

  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;

  const environment = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', TZ: 'Europe/Berlin' };
  let users = 0;
  return {
    bareScript: join(bareFolder, 'bare.js'),
    environment,
    async newUser(parcels, due) {
      users += 1;
      const home = join(folder, `user-${users}`);
      await seed(join(home, 'data', 'parcel-monitor'), parcels, due);
      return {
        environment: {
          ...environment,
          HOME: home,
          XDG_CONFIG_HOME: join(home, 'config'),
          XDG_DATA_HOME: join(home, 'data'),
          XDG_STATE_HOME: join(home, 'state'),
          XDG_CACHE_HOME: join(home, 'cache'),
          PARCEL_MONITOR_BASE_URL: `http://127.0.0.1:${port}/`,
          PARCEL_MONITOR_API_KEY: 'key-of-the-bench',
        },
      };
    },
    async close() {
      silent.closeAllConnections();
      await new Promise((resolve) => silent.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function seed(directory: string, count: number, due: 'an-hour-ago' | 'in-six-hours'): Promise<void> {
  const now = systemClock.now();
  const dueAt = due === 'an-hour-ago' ? now - hourMs : now + 6.5 * hourMs;
  const seeded = seededParcels(count, now, dueAt);
  const store = createFileStore({ directory, clock: systemClock, random: Math.random });
  await store.update((watchlist) => ({ ...watchlist, parcels: seeded.map(({ parcel }) => parcel) }));
  // The lines of the change log stay in the index until the next write, which every check brings.
  await store.update((watchlist) => ({ ...watchlist, parcels: [...watchlist.parcels].reverse() }));
  await store.update((watchlist) => ({ ...watchlist, parcels: [...watchlist.parcels].reverse() }));
  await Promise.all(
    seeded.map(({ parcel, checkpoints }) => store.updateHistory(parcel.id, (history) => ({ ...history, checkpoints }))),
  );
}
