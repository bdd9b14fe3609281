import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { requireBanner, root } from '../../.config/bundle.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { createFileStore } from '../../src/store/file/file-store.ts';
import { systemClock } from '../../src/system/clock.ts';
import { seededParcels } from './seeded-parcels.ts';

const hourMs = 60 * 60_000;

export const boardScript = join(root, 'dist', 'cli.js');

export interface User {
  readonly environment: Readonly<Record<string, string>>;
  /** Removes a board's saved screen, so that the next one starts without it. */
  removeSavedScreen(): void;
}

/**
 * The state of a user's parcels and service. `asks and waits`: due an hour ago at a service that never responds, so
 * that the board queries immediately. `nothing to do`: due in more than six hours. `is answered`: the same, with the
 * sandbox as a service that responds immediately.
 */
export type Situation = 'asks and waits' | 'nothing to do' | 'is answered';

/** The users and the folder of the measurements. The folder is removed at the end. */
export interface Workshop {
  readonly folder: string;
  /** The bare Ink program, bundled in the usual way. */
  readonly bareScript: string;
  /** An environment without our variables. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * A user with their own watchlist. The same options return the same user, because creating ten thousand parcels takes
   * a long time. A different name creates a different user.
   */
  user(parcels: number, situation: Situation, name?: string): Promise<User>;
  /** A new user whose parcels are in a database, due later, at a service that never responds. */
  userOfDatabase(name: string, store: { readonly address: string; readonly account: string }): User;
  close(): Promise<void>;
}

export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-bench-'));
  const bareFolder = join(folder, 'bare');
  await bundleBareInk(bareFolder);
  // As for our own bundle. Otherwise Node would parse the file twice to detect its type.
  await writeFile(join(bareFolder, 'package.json'), '{"type":"module"}');

  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const sandbox = await startSandbox({ port: 0, speed: 1, seed: 1, clock: systemClock });

  const environment = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', TZ: 'Europe/Berlin' };
  const users = new Map<string, Promise<User>>();
  const newUser = async (name: string, parcels: number, situation: Situation): Promise<User> => {
    const user = userOf(name, situation);
    await seed(join(folder, name.replaceAll(' ', '-'), 'data', 'parcel-monitor'), parcels, situation);
    return user;
  };
  const userOf = (name: string, situation: Situation): User => {
    const home = join(folder, name.replaceAll(' ', '-'));
    const state = join(home, 'state');
    return {
      environment: {
        ...environment,
        HOME: home,
        XDG_CONFIG_HOME: join(home, 'config'),
        XDG_DATA_HOME: join(home, 'data'),
        XDG_STATE_HOME: state,
        XDG_CACHE_HOME: join(home, 'cache'),
        PARCEL_MONITOR_BASE_URL: situation === 'is answered' ? sandbox.baseUrl : `http://127.0.0.1:${port}/`,
        PARCEL_MONITOR_API_KEY: situation === 'is answered' ? sandbox.apiKey : 'key-of-the-bench',
      },
      removeSavedScreen: () => rmSync(join(state, 'parcel-monitor', 'last-screen'), { force: true }),
    };
  };
  return {
    folder,
    bareScript: join(bareFolder, 'bare.js'),
    environment,
    user(parcels, situation, whose = 'user') {
      const name = `${whose} ${situation} ${parcels}`;
      const user = users.get(name) ?? newUser(name, parcels, situation);
      users.set(name, user);
      return user;
    },
    userOfDatabase(name, { account, address }) {
      const { environment: own, removeSavedScreen: forget } = userOf(name, 'nothing to do');
      const store = { PARCEL_MONITOR_STORE: address, PARCEL_MONITOR_STORE_ACCOUNT: account };
      return { environment: { ...own, ...store }, removeSavedScreen: forget };
    },
    async close() {
      silent.closeAllConnections();
      await new Promise((resolve) => silent.close(resolve));
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Ink as published, in production mode. */
async function bundleBareInk(folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: { bare: 'test/bench/bare-ink.tsx' },
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.19',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"' },
    // Only loaded for developer tools, and not a dependency.
    external: ['react-devtools-core'],
    banner: { js: requireBanner },
  });
}

async function seed(directory: string, count: number, situation: Situation): Promise<void> {
  const now = systemClock.now();
  const seeded = seededParcels(count, now, situation === 'asks and waits' ? now - hourMs : now + 6.5 * hourMs);
  const store = createFileStore({ directory, clock: systemClock, random: Math.random });
  await store.update((watchlist) => ({ ...watchlist, parcels: seeded.map(({ parcel }) => parcel) }));
  // The lines of the change log stay in the index until the next write, which every check causes.
  await store.update((watchlist) => ({ ...watchlist, parcels: [...watchlist.parcels].reverse() }));
  // With the store, which waits for the disk each time, ten thousand take almost a minute.
  const histories = join(directory, 'history');
  mkdirSync(histories, { recursive: true, mode: 0o700 });
  for (const { parcel, checkpoints } of seeded) {
    const text = `${JSON.stringify({ version: 1, checkpoints, received: null }, null, 2)}\n`;
    writeFileSync(join(histories, `${parcel.id}.json`), text, { mode: 0o600 });
  }
}
