import { parseArgs } from 'node:util';
import type { Rounds } from './in-turn.ts';

/** The parts of the table, in its order. */
export const groupNames = ['start', 'commands', 'keys', 'bytes', 'idle', 'store', 'memory'] as const;

/** One of the parts; `database` is measured by itself. */
export type GroupName = (typeof groupNames)[number] | 'database';

/** How much to measure. */
export interface BenchOptions {
  /** JSON lines to standard output instead of the table. */
  readonly isJson: boolean;
  readonly isQuick: boolean;
  readonly groups: ReadonlySet<GroupName>;
  readonly startRounds: Rounds;
  readonly commandRounds: Rounds;
  readonly keyRounds: Rounds;
  readonly byteRounds: Rounds;
  readonly storeRounds: Rounds;
  readonly databaseRounds: Rounds;
  /** How many parcels are in a database, one after the other. */
  readonly databaseParcels: readonly number[];
  /** Words that are typed as a filter. */
  readonly filters: number;
  readonly heldSeconds: number;
  /**
   * Counted from the start: what a program does so long after it, such as collecting garbage or compiling what it has used
   * often, is no part of being idle.
   */
  readonly settleSeconds: number;
  readonly idleSeconds: number;
  /** Refreshes of a board that is open for a year; none where that takes too long. */
  readonly yearRefreshes: number;
}

const quick = {
  // Boards have been started and left before.
  startRounds: { rounds: 2, warmUps: 0 },
  commandRounds: { rounds: 2, warmUps: 1 },
  keyRounds: { rounds: 8, warmUps: 1 },
  byteRounds: { rounds: 2, warmUps: 1 },
  storeRounds: { rounds: 2, warmUps: 1 },
  databaseRounds: { rounds: 5, warmUps: 1 },
  databaseParcels: [1_000, 100_000],
  filters: 1,
  heldSeconds: 2,
  settleSeconds: 5,
  idleSeconds: 4,
  yearRefreshes: 0,
};

const whole: typeof quick = {
  startRounds: { rounds: 12, warmUps: 1 },
  commandRounds: { rounds: 20, warmUps: 1 },
  keyRounds: { rounds: 100, warmUps: 10 },
  byteRounds: { rounds: 20, warmUps: 2 },
  storeRounds: { rounds: 20, warmUps: 3 },
  databaseRounds: { rounds: 30, warmUps: 3 },
  databaseParcels: [1_000, 100_000, 1_000_000],
  filters: 3,
  heldSeconds: 10,
  settleSeconds: 20,
  idleSeconds: 40,
  yearRefreshes: 250,
};

/** Reads the arguments. Throws a `RangeError` for what does not exist, and what `parseArgs` throws. */
export function readBenchOptions(programArguments: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...programArguments],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      only: { type: 'string' },
      store: { type: 'string', default: 'file' },
      parcels: { type: 'string' },
    },
  });
  const { only, parcels, store } = values;
  if (store !== 'file' && store !== 'postgres') throw new RangeError('--store must be file or postgres.');
  if (store === 'postgres' && only !== undefined) throw new RangeError('With --store postgres there are no parts.');
  if (store === 'file' && parcels !== undefined) throw new RangeError('--parcels is for --store postgres.');
  return {
    ...(values.quick ? quick : whole),
    ...(parcels === undefined ? {} : { databaseParcels: parcels.split(',').map(parcelCount) }),
    isQuick: values.quick,
    isJson: values.json,
    groups: new Set(
      store === 'postgres' ? ['database'] : only === undefined ? groupNames : only.split(',').map(groupName),
    ),
  };
}

function parcelCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 100) throw new RangeError('--parcels must be whole numbers from 100 on.');
  return count;
}

function groupName(text: string): GroupName {
  const name = groupNames.find((known) => known === text);
  if (name === undefined) throw new RangeError(`There is no part "${text}"; there are ${groupNames.join(', ')}.`);
  return name;
}
