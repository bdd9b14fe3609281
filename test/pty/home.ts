import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { testClockEnvironment } from '../clock/clock-shift.ts';
import { homeEnvironment } from '../support/home.ts';

/** A user's empty folders, and an environment that refers only to them. */
export interface Home {
  readonly path: string;
  /** The program's complete environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly watchlist: string;
  /** A folder for the test's own files, outside the user's home. */
  readonly notes: string;
  readonly config: string;
  /** All files in the user's folders, including temporary ones, sorted. */
  files(): Promise<readonly string[]>;
}

/** Creates a home for one test and removes it after the test. */
export async function createHome(environment: Readonly<Record<string, string>> = {}): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), 'parcel-monitor-home-'));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  const folder = (name: string): string => join(path, name);
  const notes = await mkdtemp(join(tmpdir(), 'parcel-monitor-notes-'));
  onTestFinished(() => rm(notes, { recursive: true, force: true }));
  await mkdir(folder('tmp'));
  await mkdir(join(folder('config'), 'parcel-monitor'), { recursive: true });
  return {
    path,
    environment: {
      ...testClockEnvironment(),
      ...homeEnvironment(path),
      ...environment,
    },
    notes,
    watchlist: join(folder('data'), 'parcel-monitor', 'watchlist.json'),
    config: join(folder('config'), 'parcel-monitor', 'config.json'),
    files: async () => {
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort();
    },
  };
}
