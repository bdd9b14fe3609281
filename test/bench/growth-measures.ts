import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '../../src/process/system-clock.ts';
import { changeParcel } from '../../src/watchlist/model/parcel-factory.ts';
import { createFileStore } from '../../src/watchlist/store/file-store.ts';
import { compare, median, quartiles, round } from './figures.ts';
import { boardMarker, firstFrame, type Measure } from './measures.ts';
import { seededParcels } from './seeded-parcels.ts';
import { boardScript, type Workshop } from './workshop.ts';

const hourMs = 60 * 60_000;
const megabyte = 1024 * 1024;

/** How much the heap grows while the board refreshes ten thousand times. */
export async function heapAfterRefreshes(): Promise<Measure> {
  const script = fileURLToPath(new URL('refresh-heap.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script]);
  const { refreshes, answers, before, after } = JSON.parse(stdout) as Readonly<Record<string, number>>;
  return {
    measure: 'heap after refreshes',
    refreshes: refreshes ?? 0,
    answers: answers ?? 0,
    grown_mb: round(((after ?? 0) - (before ?? 0)) / megabyte, 2),
    aim_mb: 2,
    heap_mb: round((after ?? 0) / megabyte, 1),
  };
}

/** Start to the first whole frame with many parcels, beside a start with few. */
export async function startWithMany(workshop: Workshop, many: number, few: number): Promise<Measure> {
  const start = async (parcels: number) =>
    firstFrame([boardScript], await workshop.newUser(parcels, 'in-six-hours'), boardMarker);
  const result = await compare(15, await start(many), await start(few));
  return {
    measure: 'start-to-first-frame with many parcels',
    parcels: many,
    beside: few,
    ratio: result.ratio,
    many_ms: result.ours,
    few_ms: result.bare,
    runs: result.runs,
    spread: result.spread,
  };
}

/**
 * One record that changes one parcel of a store in files: how long until it is kept, how much is written, and how long
 * at a stretch it keeps the thread from everything else, in the process that writes and in one that reads it then.
 */
export async function applyOneRecord(parcels: number): Promise<Measure> {
  const directory = await mkdtemp(join(tmpdir(), 'parcel-monitor-bench-'));
  try {
    const store = createFileStore({ directory, clock: systemClock, random: Math.random });
    const seeded = seededParcels(parcels, systemClock.now(), systemClock.now() + hourMs);
    const [changed] = seeded;
    if (changed === undefined) throw new RangeError('There is no parcel to change.');
    const { id } = changed.parcel;
    await store.update((watchlist) => ({ ...watchlist, parcels: seeded.map(({ parcel }) => parcel) }));
    await store.updateHistory(id, (history) => ({ ...history, checkpoints: changed.checkpoints }));
    const reader = createFileStore({ directory, clock: systemClock, random: Math.random });
    await reader.read();
    const times: number[] = [];
    const holds: number[] = [];
    const readerHolds: number[] = [];
    for (let run = -3; run < 25; run += 1) {
      const startedAt = performance.now();
      const endHold = watchHold();
      const detail = `Told in run ${run}`;
      await store.updateHistory(id, (history) => {
        const [newest, ...others] = history.checkpoints;
        return newest === undefined ? history : { ...history, checkpoints: [{ ...newest, detail }, ...others] };
      });
      await store.update((watchlist) =>
        changeParcel(watchlist, id, (parcel) => ({ ...parcel, fruitlessPolls: run + 3, label: detail })),
      );
      const [took, hold] = [performance.now() - startedAt, endHold()];
      const endReaderHold = watchHold();
      await reader.read();
      const readerHold = endReaderHold();
      if (run < 0) continue;
      times.push(took);
      holds.push(hold);
      readerHolds.push(readerHold);
    }
    const histories = join(directory, 'history');
    const written = [
      join(directory, 'watchlist.json'),
      ...(await readdir(histories)).map((name) => join(histories, name)),
    ];
    const sizes = await Promise.all(written.map(async (path) => (await stat(path)).size));
    return {
      measure: 'apply one changed record',
      parcels,
      ms: round(median(times)),
      spread: quartiles(times),
      longest_hold_ms: round(median(holds)),
      longest_hold_spread: quartiles(holds),
      reading_hold_ms: round(median(readerHolds)),
      reading_hold_spread: quartiles(readerHolds),
      aim_hold_ms: 16,
      runs: times.length,
      bytes_written: sizes.reduce((sum, size) => sum + size, 0),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Watches for how long nothing else gets a turn; answers a function that ends the watch and tells the longest time in milliseconds. */
function watchHold(): () => number {
  let last = performance.now();
  let longest = 0;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const again = (): void => {
    look();
    next = setImmediate(again);
  };
  let next = setImmediate(again);
  return () => {
    clearImmediate(next);
    look();
    return longest;
  };
}
