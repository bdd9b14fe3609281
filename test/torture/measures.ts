import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import { createFileStore, type FileStore } from '../../src/store/file/file-store.ts';
import { createProcesses } from '../../src/store/file/processes.ts';
import { systemClock } from '../../src/system/clock.ts';
import { bundledScript } from '../support/bundled-script.ts';
import { counterId, moverId } from './cast.ts';
import { type LogLook, lookAtLog, lookAtLogFile, type WantedLines } from './log-look.ts';
import type { Measure } from './measure.ts';
import { startWriter } from './writer-process.ts';

/** How many more changes a writer lives at most, and how long after the last of them; a change takes some ten milliseconds. */
const mostChanges = 6;
const longestLifeMs = 20;

const writerPath = fileURLToPath(new URL('writer.ts', import.meta.url));

function openStore(directory: string): FileStore {
  const processes = createProcesses(process);
  return createFileStore({ directory, clock: systemClock, random: Math.random, processes });
}

/** Runs work in a folder with a counter and a mover in its watchlist; nothing of it stays. */
async function inFolder<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'parcel-monitor-torture-'));
  try {
    const parcels = [counterId, moverId].map((id) => {
      const draft = { trackNo: id, courierCode: null, label: '0', postalCode: null, phoneSuffix: null };
      return { ...newParcel(draft, systemClock.now(), Math.random), id };
    });
    const store = openStore(directory);
    await store.update((current) => ({ ...current, parcels }));
    await store.updateHistory(moverId, (history) => ({ ...history, received: { trackNo: moverId } }));
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Kills a writer again and again at random moments; after each kill the store is looked at and written. */
export async function killing(rounds: number): Promise<Measure> {
  const startedAt = performance.now();
  const totals = { lost: 0, doubled: 0, damaged: 0, changes: 0, longest_wait_ms: 0 };
  const program = bundledScript(writerPath);
  await inFolder(async (directory) => {
    let restored = 0;
    for (let round = 0; round < rounds; round += 1) {
      const writer = startWriter(program, 'count', directory);
      // In changes, not in time alone, so that a slow disk or a busy machine has something to lose as well.
      await writer.printed(1 + Math.floor(Math.random() * (mostChanges + 1)));
      await delay(Math.random() * longestLifeMs);
      writer.child.kill('SIGKILL');
      await writer.ended;
      const found = await inspect(directory, { acknowledged: Number(writer.lines.slice(1).at(-1) ?? 0), restored });
      restored = found.restored;
      totals.lost += found.lost;
      totals.doubled += found.doubled;
      totals.damaged += found.damaged;
      totals.changes += writer.lines.length - 1;
      totals.longest_wait_ms = Math.max(totals.longest_wait_ms, found.waitMs);
    }
  });
  return { measure: 'kill -9 while writing', rounds, ...totals, seconds: secondsSince(startedAt) };
}

/** What a killed writer has left. */
interface Inspection extends LogLook {
  readonly waitMs: number;
  /** How often the mover has been taken out of the trash after a kill. */
  readonly restored: number;
}

/**
 * Looks at a store that a killed writer has left; `acknowledged` is the last change that it said was written, `restored` what
 * the last look came to.
 */
async function inspect(
  directory: string,
  { acknowledged, restored }: { readonly acknowledged: number; readonly restored: number },
): Promise<Inspection> {
  const store = openStore(directory);
  const { parcels } = await store.read();
  const trashed = await store.recovery.trashed();
  const counts = [counterId, moverId].map((id) => parcels.filter((parcel) => parcel.id === id).length);
  const [counters = 0, movers = 0] = counts;
  const isMoverInTrash = trashed.some(({ parcel }) => parcel.id === moverId);
  const count = Number(parcels.find(({ id }) => id === counterId)?.label);
  const history = await store.readHistory(counterId);
  const told = Number(history.checkpoints[0]?.detail ?? 0);
  const left = await lookAtLog(store, linesAfter(count, restored));

  const changedAt = performance.now();
  const isRestored = movers === 0 && isMoverInTrash;
  if (isRestored) await store.recovery.restoreParcel(moverId);
  else await store.update((current) => ({ ...current }));
  const waitMs = Math.round(performance.now() - changedAt);
  const restoredSince = restored + Number(isRestored);
  const healed = await lookAtLogFile(directory, linesAfter(count, restoredSince));
  // Wherever its history was left, it is found again.
  const moverHistory = await store.readHistory(moverId);
  const leftOver = (await readdir(directory)).filter((name) => name.includes('.damaged-'));
  return {
    lost:
      Number(counters === 0) +
      Number(movers === 0 && !isMoverInTrash) +
      Number(count < acknowledged) +
      Number(moverHistory.received === null) +
      left.lost +
      healed.lost,
    doubled: Number(counters > 1) + Number(movers > 1) + left.doubled + healed.doubled,
    // The history of a change is written first.
    damaged:
      leftOver.length +
      store.takeNotices().length +
      Number(told !== count && told !== count + 1) +
      left.damaged +
      healed.damaged,
    waitMs,
    restored: restoredSince,
  };
}

/** The lines of a log after so many counts, each of which took the mover away or brought it back. */
function linesAfter(count: number, restored: number): WantedLines {
  // It is there at first; whoever finds it in the trash after a kill brings it back.
  const removed = Math.ceil((count + restored) / 2);
  return new Map([
    [`added ${counterId}`, 1],
    [`added ${moverId}`, 1 + count + restored - removed],
    [`removed ${moverId}`, removed],
  ]);
}

/** Several processes add numbers at once. */
export async function addingAtOnce(processes: number, each: number): Promise<Measure> {
  const startedAt = performance.now();
  return await inFolder(async (directory) => {
    const program = bundledScript(writerPath);
    const writers = Array.from({ length: processes }, (_, index) =>
      startWriter(program, 'add', directory, `P${index}N`, `${each}`),
    );
    const codes = await Promise.all(writers.map(({ ended }) => ended));
    const { lost, linesLost, doubled, damaged } = await countAdded(directory, processes, each, new Set());
    const failed = codes.filter((code) => code !== 0).length;
    const measure = `${processes} processes add ${each} numbers each`;
    return { measure, lost: lost + linesLost, doubled, damaged, failed, seconds: secondsSince(startedAt) };
  });
}

/** What the editor says after each edit. */
interface EditReport {
  /** Whether the file still held its last edit. */
  readonly isIntact: boolean;
  /** Numbers that were added since it had read the file. */
  readonly overwritten: readonly string[];
}

/**
 * Of so many edits, the share in which editor and program may rename their files in the same instant: each looks what
 * stands there and renames right after it, and no system call available here does both at once.
 */
const shareInOneInstant = 0.03;

/**
 * An editor without a lock rewrites the file while processes add numbers. What it overwrites itself is not counted as
 * lost, nor are the few renames in the same instant as ours; more of those than chance allows are.
 */
export async function addingBesideAnEditor(processes: number, each: number, edits: number): Promise<Measure> {
  const startedAt = performance.now();
  return await inFolder(async (directory) => {
    const program = bundledScript(writerPath);
    const editor = startWriter(program, 'edit', directory, `${edits}`);
    await editor.printed(1);
    const writers = Array.from({ length: processes }, (_, index) =>
      startWriter(program, 'add', directory, `P${index}N`, `${each}`),
    );
    const codes = await Promise.all([editor, ...writers].map(({ ended }) => ended));
    const reports = editor.lines.slice(1).map((line): EditReport => JSON.parse(line));
    const undoneEdits = reports.filter(({ isIntact }) => !isIntact).length;
    const overwritten = new Set(reports.flatMap((report) => report.overwritten));
    const { lost, linesLost, doubled, damaged } = await countAdded(directory, processes, each, overwritten);
    const { parcels } = await openStore(directory).read();
    const isLastEditThere = parcels.find(({ id }) => id === counterId)?.label === `${edits}`;
    const inOneInstant = lost + undoneEdits + Number(!isLastEditThere);
    return {
      measure: `${processes} processes add ${each} numbers each beside an editor`,
      lost: linesLost + (inOneInstant > Math.ceil(edits * shareInOneInstant) ? inOneInstant : 0),
      doubled,
      damaged,
      failed: codes.filter((code) => code !== 0).length,
      edits,
      overwritten_by_the_editor: overwritten.size,
      renamed_in_one_instant: inOneInstant,
      seconds: secondsSince(startedAt),
    };
  });
}

async function countAdded(
  directory: string,
  processes: number,
  each: number,
  excused: ReadonlySet<string>,
): Promise<LogLook & { readonly linesLost: number }> {
  const store = openStore(directory);
  const { parcels } = await store.read();
  const names = parcels.map(({ trackNo }) => trackNo);
  const there = new Set(names);
  const wanted = Array.from({ length: processes }, (_, process) =>
    Array.from({ length: each }, (_, index) => `P${process}N${index}`),
  ).flat();
  const leftOver = (await readdir(directory)).filter((name) => name.includes('.damaged-'));
  // What an editor has overwritten was written all the same.
  const log = await lookAtLogFile(
    directory,
    new Map([counterId, moverId, ...wanted].map((name) => [`added ${name}`, 1])),
  );
  return {
    lost: wanted.filter((name) => !there.has(name) && !excused.has(name)).length,
    linesLost: log.lost,
    doubled: names.length - there.size + log.doubled,
    damaged: leftOver.length + store.takeNotices().length + log.damaged,
  };
}

const secondsSince = (startedAt: number): number => Math.round((performance.now() - startedAt) / 100) / 10;
