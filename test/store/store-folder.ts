import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StoreError } from '../../src/lib/store-errors.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import type { Watchlist } from '../../src/parcels/parcel-list.ts';
import { createFileStore, type FileStore, type FileStoreOptions } from '../../src/store/file/file-store.ts';
import { realClock } from '../support/real-clock.ts';

/** A folder for a test's store. */
export interface StoreFolder {
  readonly directory: string;
  readonly indexPath: string;
  open(options?: Partial<FileStoreOptions>): FileStore;
  /** Writes a file in the folder, as another process would. */
  put(name: string, text: string): Promise<string>;
  remove(): Promise<void>;
}

/** Creates an empty {@link StoreFolder}, in `parent` or among the temporary files. */
export async function createStoreFolder(parent = tmpdir()): Promise<StoreFolder> {
  const folder = await mkdtemp(join(parent, 'parcel-monitor-store-'));
  const directory = join(folder, 'parcel-monitor');
  return {
    directory,
    indexPath: join(directory, 'watchlist.json'),
    open: (options = {}) => createFileStore({ directory, clock: realClock, random: Math.random, ...options }),
    async put(name, text) {
      const path = join(directory, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      return path;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Returns a change that adds these parcels. */
export const addParcels =
  (...parcels: readonly Parcel[]) =>
  (current: Watchlist): Watchlist => ({ ...current, parcels: [...current.parcels, ...parcels] });

/** Returns a change that removes the parcels with these ids. */
export const removeParcels =
  (...ids: readonly string[]) =>
  (current: Watchlist): Watchlist => ({ ...current, parcels: current.parcels.filter(({ id }) => !ids.includes(id)) });

/** Returns a watchlist's tracking numbers. */
export const trackNos = ({ parcels }: Pick<Watchlist, 'parcels'>): readonly string[] =>
  parcels.map(({ trackNo }) => trackNo);

/** Returns the `StoreError` that a promise is rejected with. */
export async function failureOf(work: Promise<unknown>): Promise<StoreError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof StoreError) return error;
  throw new Error(`expected a StoreError, got ${String(error)}`);
}
