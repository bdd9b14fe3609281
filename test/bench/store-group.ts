import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createFileStore } from '../../src/store/file/file-store.ts';
import type { WatchlistStore } from '../../src/store/store.ts';
import { systemClock } from '../../src/system/clock.ts';
import type { BenchOptions } from './bench-options.ts';
import { spreadOf } from './figures.ts';
import { type Finding, plainFinding } from './finding.ts';
import { measureInTurn } from './in-turn.ts';
import { seededParcels } from './seeded-parcels.ts';

const hourMs = 60 * 60_000;
/** Nobody may wait longer than a frame takes on a screen of 60 Hz. */
const longestHoldMs = 16;
const parcels = 10_000;
/** As many as one call asks for. */
const round = 40;

/** One operation of the store. */
interface Operation {
  readonly tookMs: number;
  /** For how long at a stretch nothing else got a turn. */
  readonly holdMs: number;
}

/**
 * Operations of a store in files with 10,000 parcels: how long each takes, and how long it keeps the thread from
 * everything else.
 */
export async function measureStore({ storeRounds }: BenchOptions): Promise<readonly Finding[]> {
  const directory = await mkdtemp(join(tmpdir(), 'parcel-monitor-bench-'));
  const open = (): WatchlistStore & ReturnType<typeof createFileStore> =>
    createFileStore({ directory, clock: systemClock, random: Math.random });
  try {
    const writer = open();
    const seeded = seededParcels(parcels, systemClock.now(), systemClock.now() + hourMs);
    await writer.update((watchlist) => ({ ...watchlist, parcels: seeded.map(({ parcel }) => parcel) }));
    const reader = open();
    await reader.read();
    let counter = 0;
    /** Writes some parcels as a check has changed them, based on the newest revision. */
    const write = async (count: number): Promise<Operation> => {
      counter += 1;
      const { parcels: current, revision } = await writer.read();
      const first = (counter * round) % (parcels - round);
      const writes = current.slice(first, first + count).map((parcel) => ({
        id: parcel.id,
        parcel: { ...parcel, fruitlessPolls: counter, checkedAt: new Date(systemClock.now()).toISOString() },
      }));
      return await watched(async () => await writer.write(writes, revision, systemClock.now()));
    };
    const operations = await measureInTurn<string, Operation>(storeRounds, {
      'first reading': async () => await watched(async () => await open().read()),
      'one parcel written': async () => await write(1),
      [`${round} parcels written`]: async () => await write(round),
      "another's change read": async () => {
        await write(round);
        return await watched(async () => await reader.read());
      },
      'a history written': async () => {
        counter += 1;
        const { parcel, checkpoints } = seeded[counter % seeded.length] ?? {};
        return await watched(async () => {
          if (parcel === undefined || checkpoints === undefined) throw new RangeError('There is no parcel to change.');
          await writer.updateHistory(parcel.id, (history) => ({ ...history, checkpoints }));
        });
      },
    });
    const group = `Store, ${parcels.toLocaleString('en')} parcels`;
    return Object.entries(operations).flatMap(([name, results]) => [
      plainFinding(
        { group, name: `${name}: longest hold`, aim: longestHoldMs },
        'ms',
        spreadOf(results.map(({ holdMs }) => holdMs)),
      ),
      plainFinding({ group, name: `${name}: all of it` }, 'ms', spreadOf(results.map(({ tookMs }) => tookMs))),
    ]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Watches for how long nothing else gets a turn while something is done. */
async function watched(act: () => Promise<unknown>): Promise<Operation> {
  const startedAt = performance.now();
  let [last, holdMs] = [startedAt, 0];
  const look = (): void => {
    const now = performance.now();
    holdMs = Math.max(holdMs, now - last);
    last = now;
  };
  const again = (): void => {
    look();
    next = setImmediate(again);
  };
  let next = setImmediate(again);
  try {
    await act();
  } finally {
    clearImmediate(next);
  }
  look();
  return { tookMs: performance.now() - startedAt, holdMs };
}
