import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../../src/lib/clock.ts';

/** Where the watchlist is kept. */
export type StoreName = 'file' | 'postgres';

/** Numbers of problems in a store. All must be 0. */
export interface ProblemCounts {
  /**
   * Parcels, changes or change log lines that were acknowledged and then lost, and calls that were not counted.
   */
  readonly lost: number;
  /** Duplicate parcels, lines or calls. */
  readonly doubled: number;
  /** Incomplete files, histories that do not match the index, and gaps in the numbers of the lines. */
  readonly damaged: number;
}

/** The result of a scenario, printed as one line of JSON. */
export interface ScenarioResult extends ProblemCounts {
  readonly measure: string;
  /** Programs that ended unexpectedly or printed an internal error, and forbidden calls. Must be 0. */
  readonly broken: number;
  readonly [detail: string]: number | string;
}

/** Options of a scenario. */
export interface ScenarioOptions {
  readonly store: StoreName;
  /** Whether to start another round after this many. The first round always runs. */
  readonly shouldContinue: (rounds: number) => boolean;
  readonly random: Random;
  /** Called with a line about a violation, or with progress. */
  readonly report: (line: string) => void;
}

export const noProblems: ProblemCounts = { lost: 0, doubled: 0, damaged: 0 };

export const sum = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Adds up all problems. */
export const totalProblems = (found: readonly ProblemCounts[]): ProblemCounts => ({
  lost: sum(found.map(({ lost }) => lost)),
  doubled: sum(found.map(({ doubled }) => doubled)),
  damaged: sum(found.map(({ damaged }) => damaged)),
});

/** Runs `work` with a folder that is removed afterwards. */
export async function withTempFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-stress-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
