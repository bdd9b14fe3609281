import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../../src/lib/clock.ts';

/** Where the watchlist is kept. */
export type StoreName = 'file' | 'postgres';

/** Problems of a store, which must all be 0. */
export interface Found {
  /**
   * Parcels, changes or lines of the change log that were acknowledged and are lost, and calls that were not counted.
   */
  readonly lost: number;
  /** Duplicate parcels, lines or calls. */
  readonly doubled: number;
  /** Incomplete files, histories that do not match the index, and lines with gaps in their numbers. */
  readonly damaged: number;
}

/** The result of a measure, as one line of JSON. */
export interface Measure extends Found {
  readonly measure: string;
  /** Programs that ended or printed something that they must not, and forbidden calls. Must be 0. */
  readonly broken: number;
  readonly [detail: string]: number | string;
}

/** Options of a measure. */
export interface Taking {
  readonly store: StoreName;
  /** Whether there is another round after this many. There is always a first one. */
  readonly goesOn: (rounds: number) => boolean;
  readonly random: Random;
  /** Called with a line about a violation, or with progress. */
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

/** Works in a folder that is removed afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-stress-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
