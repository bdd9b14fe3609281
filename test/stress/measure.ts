import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../../src/lib/clock.ts';

/** Where the watchlist is kept. */
export type StoreName = 'file' | 'postgres';

/** What is wrong with a store; all have to be 0. */
export interface Found {
  /** Parcels, changes or lines of the change log that were acknowledged and are gone, and calls that nobody counted. */
  readonly lost: number;
  /** Parcels, lines or calls that are there twice. */
  readonly doubled: number;
  /** Files that were not whole, histories that do not go with the index, and lines whose numbers do not follow each other. */
  readonly damaged: number;
}

/** What a measure came to: one line of JSON. */
export interface Measure extends Found {
  readonly measure: string;
  /** Programs that ended or said what they must not, and calls that must not be. Has to be 0. */
  readonly broken: number;
  readonly [detail: string]: number | string;
}

/** How a measure is taken. */
export interface Taking {
  readonly store: StoreName;
  /** Whether there is another round, after so many; there is always a first one. */
  readonly goesOn: (rounds: number) => boolean;
  readonly random: Random;
  /** Takes a line about what must not be, and of progress. */
  readonly tell: (line: string) => void;
}

export const nothingFound: Found = { lost: 0, doubled: 0, damaged: 0 };

export const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** All findings together. */
export const allOf = (found: readonly Found[]): Found => ({
  lost: sumOf(found.map(({ lost }) => lost)),
  doubled: sumOf(found.map(({ doubled }) => doubled)),
  damaged: sumOf(found.map(({ damaged }) => damaged)),
});

/** Works in a folder that goes afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-stress-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
