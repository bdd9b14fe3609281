import { readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '../../src/lib/json.ts';
import { systemCode } from '../../src/lib/store-errors.ts';
import { historyIdOf } from '../../src/parcels/identity.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { Trash } from '../../src/store/trash.ts';
import { createWatchlistFormat, historyFormat } from '../../src/store/watchlist-format.ts';
import { systemClock } from '../../src/system/clock.ts';

/** What stands in the files of a user, read without changing anything. */
export interface StoreLook {
  readonly parcels: readonly Parcel[];
  /** Files that are not whole, histories that know less than the index, and files that were moved aside; in words. */
  readonly damages: readonly string[];
  /** Temp files and folders, the locks of killed processes among them. */
  readonly temps: readonly string[];
  /** Numbers in the trash. */
  readonly trashed: ReadonlySet<string>;
  /** Fields that the program does not know, as far as they are gone; in words. */
  readonly lostFields: readonly string[];
}

/** Fields of another version, by which the look tells whether they survive. */
export const foreignField = { name: 'soakNote', value: { kept: ['by', 'another', 'version'] } } as const;

const tempName = /^\..+\.tmp$/;
const oldMs = 2 * 60 * 60_000;
/** A temp file this old, in milliseconds, has no writer any more. */
const abandonedAfterMs = 30_000;

/**
 * Looks at everything below a folder that holds `data/parcel-monitor` and `state/parcel-monitor`. `marked` are numbers
 * that carry the foreign field.
 */
export async function lookAtStore(home: string, marked: readonly string[]): Promise<StoreLook> {
  const directory = join(home, 'data', 'parcel-monitor');
  const text = await readFile(join(directory, 'watchlist.json'), 'utf8');
  const decoded = await createWatchlistFormat().decode(Buffer.from(text));
  const parcels = decoded.kind === 'whole' || decoded.kind === 'partly-damaged' ? decoded.data.parcels : [];
  const damages = decoded.kind === 'whole' ? [] : [`watchlist.json is ${decoded.kind}`];
  const names = await filesBelow(home);
  const aside = names.filter((name) => name.includes('.damaged-')).map((name) => `${name} was moved aside`);
  const fields = foreignFieldsLost(JSON.parse(text), marked);
  return {
    parcels,
    damages: [...damages, ...aside, ...(await historyDamages(directory, parcels))],
    temps: names.filter((name) => tempName.test(name.slice(name.lastIndexOf('/') + 1))),
    trashed: await trashedNumbers(directory),
    lostFields: fields,
  };
}

/** Makes abandoned temp files look as if they had been left hours ago; answers those that it made old. */
export async function ageTemps(home: string, temps: readonly string[]): Promise<readonly string[]> {
  const aged: string[] = [];
  for (const name of temps) {
    const path = join(home, name);
    const age = await ageOf(path);
    if (age === null || age < abandonedAfterMs || age > oldMs / 2) continue;
    const then = new Date(Date.now() - oldMs);
    await utimes(path, then, then);
    aged.push(name);
  }
  return aged;
}

async function ageOf(path: string): Promise<number | null> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Paths of files, folders and all, below a folder and relative to it. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await readdir(folder, { recursive: true });
    } catch (error) {
      // A lock folder went away while it was listed.
      if (systemCode(error) !== 'ENOENT' || tries === 50) throw error;
    }
  }
}

/** A history is written before the index, so it never knows less. */
async function historyDamages(directory: string, parcels: readonly Parcel[]): Promise<readonly string[]> {
  const damages: string[] = [];
  const counts = new Map(parcels.map((parcel) => [historyIdOf(parcel), parcel]));
  for (const name of await namesIn(join(directory, 'history'))) {
    if (!name.endsWith('.json') || name.startsWith('.')) continue;
    const text = await readIfThere(join(directory, 'history', name));
    if (text === null) continue;
    const decoded = await historyFormat.decode(Buffer.from(text));
    const parcel = counts.get(name.slice(0, -'.json'.length));
    if (decoded.kind !== 'whole') damages.push(`history/${name} is ${decoded.kind}`);
    else if (parcel !== undefined && decoded.data.checkpoints.length < parcel.checkpointCount) {
      damages.push(
        `history/${name} of ${parcel.trackNo} has ${decoded.data.checkpoints.length} of ${parcel.checkpointCount} checkpoints`,
      );
    }
  }
  return damages;
}

async function trashedNumbers(directory: string): Promise<ReadonlySet<string>> {
  const trash = new Trash({
    folder: join(directory, 'trash'),
    historyFolder: join(directory, 'history'),
    clock: systemClock,
    random: Math.random,
    format: createWatchlistFormat(),
  });
  return new Set((await trash.list()).map(({ parcel }) => parcel.trackNo));
}

function foreignFieldsLost(document: unknown, marked: readonly string[]): readonly string[] {
  const wanted = JSON.stringify(foreignField.value);
  const holds = (value: unknown): boolean => isJsonObject(value) && JSON.stringify(value[foreignField.name]) === wanted;
  const entries: unknown = isJsonObject(document) ? document['parcels'] : null;
  const parcels: readonly unknown[] = Array.isArray(entries) ? entries : [];
  const bare = marked.filter(
    (trackNo) => !parcels.some((parcel) => isJsonObject(parcel) && parcel['trackNo'] === trackNo && holds(parcel)),
  );
  return [
    ...(holds(document) ? [] : ['the index lost its foreign field']),
    ...bare.map((trackNo) => `${trackNo} lost its foreign field`),
  ];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
