import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemCode } from '../../src/lib/store-errors.ts';
import { systemClock } from '../../src/system/clock.ts';
import { type Fate, startCuttingProxy } from '../support/postgres/cutting-proxy.ts';
import {
  type PostgresServer,
  type PostgresServerOptions,
  startPostgresServer,
} from '../support/postgres/postgres-server.ts';
import { type Audit, foundBeside, foundInLog, startAudit, startCounting } from './counting.ts';
import { allOf, type Found, inFolder, type Measure, nothingFound, sumOf, type Taking } from './measure.ts';
import { addParcels, type OpenPlace, openPlace } from './place.ts';
import { CountingWriters, type StartWriter, writerProgram } from './writers.ts';

const run = promisify(execFile);

/** A separate store for each measure. */
interface Stage {
  /** A folder, or an address. */
  readonly at: string;
  readonly place: OpenPlace;
  /** Null for files. */
  readonly server: PostgresServer | null;
}

/** Works with an empty store below a folder. */
async function onStage<Result>(
  { store }: Pick<Taking, 'store'>,
  work: (stage: Stage) => Promise<Result>,
  options: PostgresServerOptions = {},
): Promise<Result> {
  return await inFolder(async (folder) => {
    const server = store === 'postgres' ? await startPostgresServer(options) : null;
    const at = server?.address() ?? join(options.folder ?? folder, 'watchlist');
    if (server === null) await mkdir(at, { recursive: true });
    try {
      const place = await openPlace(at);
      try {
        return await work({ at, place, server });
      } finally {
        await place.close();
      }
    } finally {
      await server?.stop();
    }
  });
}

interface Scene {
  readonly stage: Stage;
  readonly writers: CountingWriters;
  readonly audit: Audit;
  /** Compares the written data, and counts the findings. */
  check(): Promise<void>;
}

/** Lets several count at the same time while something happens to them, and compares the result. */
async function whileTheyCount(
  measure: string,
  taking: Taking,
  names: readonly string[],
  act: (scene: Scene) => Promise<Readonly<Record<string, number>>>,
  options?: PostgresServerOptions,
): Promise<Measure> {
  const work = async (stage: Stage): Promise<Measure> => {
    const writers = new CountingWriters(stage.at, names);
    try {
      const audit = startAudit(stage.place);
      let found = nothingFound;
      const check = async (): Promise<void> => {
        found = allOf([found, await audit.check(writers.acknowledged)]);
      };
      const details = await act({ stage, writers, audit, check });
      await writers.killAll();
      await check();
      const changes = sumOf([...writers.acknowledged.values()]);
      return { measure, ...found, lost: found.lost + writers.lost, broken: 0, changes, ...details };
    } finally {
      await writers.killAll();
    }
  };
  return await onStage(taking, work, options);
}

const four = ['a', 'b', 'c', 'd'];

/** Kills writers at any moment, one after the other, and restarts them. */
export async function killingWriters(taking: Taking): Promise<Measure> {
  const { goesOn, random } = taking;
  return await whileTheyCount('kill -9 of one of four who write', taking, four, async ({ audit, writers }) => {
    let kills = 0;
    do {
      const name = four[kills % four.length] ?? '';
      await writers.written(name, 1 + Math.floor(random() * 4));
      await delay(random() * 20);
      await writers.kill(name);
      writers.start(name);
      kills += 1;
      if (kills % 50 === 0) await audit.follow();
    } while (goesOn(kills));
    await writers.allWrite(1);
    return { kills };
  });
}

/** Kills one writer at any moment, and checks the result each time. */
export async function killingTheOnlyWriter(taking: Taking): Promise<Measure> {
  const { goesOn, random } = taking;
  return await whileTheyCount('kill -9 of the only one who writes', taking, ['a'], async ({ check, writers }) => {
    let kills = 0;
    do {
      if (kills > 0) writers.start('a');
      await writers.written('a', Math.floor(random() * 7));
      await delay(random() * 20);
      await writers.kill('a');
      await check();
      kills += 1;
    } while (goesOn(kills));
    return { kills };
  });
}

const numbersOf = (writers: number, each: number): readonly string[] =>
  Array.from({ length: writers * each }, (_, index) => `P${Math.floor(index / each)}N${index % each}`);

/** Starts processes that add numbers. Returns how many of them failed. */
async function adding(at: string, processes: number, each: number, start: StartWriter): Promise<number> {
  const adders = Array.from({ length: processes }, (_, index) => start('add', at, `P${index}N`, `${each}`));
  const codes = await Promise.all(adders.map(({ ended }) => ended));
  return codes.filter((code) => code !== 0).length;
}

/** @param excused numbers that may be missing */
async function foundAdded(
  place: OpenPlace,
  wanted: readonly string[],
  excused: ReadonlySet<string> = new Set(),
): Promise<Found & { readonly missing: number }> {
  const names = (await place.store.read()).parcels.map(({ trackNo }) => trackNo);
  const there = new Set(names);
  // A change that an editor has overwritten was still written.
  const log = foundInLog(await place.store.changeLogAfter(0), new Map(wanted.map((name) => [`added ${name}`, 1])));
  const found = allOf([log, await foundBeside(place)]);
  const missing = wanted.filter((name) => !there.has(name) && !excused.has(name)).length;
  return { ...found, doubled: found.doubled + names.length - there.size, missing };
}

/** Several processes add numbers at the same time, each time to an empty store. */
export async function addingAtOnce(taking: Taking, each = 100): Promise<Measure> {
  let [rounds, broken, found] = [0, 0, nothingFound];
  do {
    const processes = 2 + (rounds % 2) * 3;
    await onStage(taking, async ({ at, place }) => {
      broken += await adding(at, processes, each, writerProgram());
      const { missing, ...others } = await foundAdded(place, numbersOf(processes, each));
      found = allOf([found, others, { ...nothingFound, lost: missing }]);
    });
    rounds += 1;
  } while (taking.goesOn(rounds));
  return { measure: `two or five processes add ${each} numbers each`, ...found, broken, rounds };
}

/** The editor's output after each edit. */
interface EditReport {
  /** Whether the file still had its last edit. */
  readonly isIntact: boolean;
  /** Numbers that were added since it had read the file. */
  readonly overwritten: readonly string[];
}

/**
 * The share of edits in which editor and program may rename their files in the same instant: each checks the file and
 * renames right after, and no system call available here does both together.
 */
const shareInOneInstant = 0.03;

/**
 * An editor without a lock rewrites the file while processes add numbers. Numbers that it overwrites itself do not
 * count as lost, nor do the few simultaneous renames. More of those than chance allows do.
 */
export async function addingBesideAnEditor(taking: Taking, each = 150): Promise<Measure> {
  const [processes, edited] = [2, 'edited'];
  const totals = { edits: 0, overwritten_by_the_editor: 0, renamed_in_one_instant: 0 };
  let [rounds, broken, found] = [0, 0, nothingFound];
  do {
    await onStage(taking, async ({ at, place }) => {
      await addParcels(place.store, [edited], systemClock.now());
      const start = writerProgram();
      const editor = start('edit', at, edited);
      // It starts before the first addition and edits until the last.
      await editor.printed(2);
      broken += await adding(at, processes, each, start);
      editor.child.kill('SIGTERM');
      broken += Number((await editor.ended) !== 0);
      const reports = editor.lines.slice(1).map((line): EditReport => JSON.parse(line));
      const overwritten = new Set(reports.flatMap((report) => report.overwritten));
      const { missing, ...others } = await foundAdded(place, [edited, ...numbersOf(processes, each)], overwritten);
      const isLastThere = (await place.store.read()).parcels.some(
        ({ label, trackNo }) => trackNo === edited && label === `${reports.length}`,
      );
      found = allOf([found, others]);
      totals.edits += reports.length;
      totals.overwritten_by_the_editor += overwritten.size;
      totals.renamed_in_one_instant +=
        missing + reports.filter(({ isIntact }) => !isIntact).length + Number(!isLastThere);
    });
    rounds += 1;
  } while (taking.goesOn(rounds));
  const tooMany = totals.renamed_in_one_instant > Math.ceil(totals.edits * shareInOneInstant);
  const lost = found.lost + (tooMany ? totals.renamed_in_one_instant : 0);
  return { measure: `two processes add ${each} numbers each beside an editor`, ...found, lost, broken, ...totals };
}

/** Kills and restarts the server repeatedly while four hosts write. None of them may end because of that. */
export async function killingServer(taking: Taking): Promise<Measure> {
  const { goesOn, random } = taking;
  return await whileTheyCount(
    'kill -9 and restart of the server while four write',
    taking,
    four,
    async ({ audit, stage, writers }) => {
      let kills = 0;
      do {
        await writers.allWrite(2);
        await delay(random() * 50);
        await stage.server?.end('kill');
        await delay(random() * 200);
        await stage.server?.start();
        await audit.follow();
        kills += 1;
      } while (goesOn(kills));
      await writers.allWrite(2);
      return { kills };
    },
  );
}

/** Fills the disk while four writers write, and frees it again. Null if no small disk can be mounted. */
export async function fillingDisk(taking: Taking): Promise<Measure | null> {
  const { goesOn, store } = taking;
  return await inFolder(async (folder) => {
    const size = store === 'postgres' ? '160m' : '8m';
    const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).then(
      () => true,
      () => false,
    );
    if (!isMounted) return null;
    const settings = { wal_recycle: 'off', min_wal_size: '4MB', max_wal_size: '8MB', full_page_writes: 'on' };
    try {
      const act = async ({ stage: { server }, writers }: Scene): Promise<Readonly<Record<string, number>>> => {
        let [times, crashes] = [0, 0];
        const ballast = join(folder, 'ballast');
        do {
          await writers.allWrite(2);
          await fill(ballast);
          await standstill(writers);
          crashes += Number(server !== null && server.pid() === null);
          await rm(ballast);
          await server?.start();
          await writers.allWrite(2);
          times += 1;
        } while (goesOn(times));
        return { times, crashes_of_the_server: crashes };
      };
      return await whileTheyCount('full disk while four write', taking, four, act, {
        folder,
        settings,
        walSegmentMb: 1,
      });
    } finally {
      await run('umount', ['-l', folder]);
    }
  });
}

/** Uses all space of a disk. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (const size of [1_048_576, 4096]) {
      try {
        for (;;) await file.write(Buffer.alloc(size));
      } catch (error) {
        if (systemCode(error) !== 'ENOSPC') throw error;
      }
    }
  } finally {
    await file.close();
  }
}

/** Waits until there were no writes for two seconds. */
async function standstill(writers: CountingWriters): Promise<void> {
  for (let last = -1; writers.printed() !== last; ) {
    last = writers.printed();
    await delay(2_000);
  }
}

/** Cuts one host's connection before and after each of its statements, one at a time, and silences it at each. */
export async function cuttingStatements(
  taking: Taking,
  fates: readonly Fate[] = ['before', 'after', 'silence'],
): Promise<Measure> {
  return await onStage(taking, async ({ at, place }) => {
    const proxy = await startCuttingProxy(at);
    const timings = { responseMs: 1_500, connectMs: 1_500, heartbeatAnswerMs: 1_500 };
    const torn = await openPlace(proxy.through(at), { timings });
    let [found, cuts, statements] = [nothingFound, 0, 0];
    try {
      const audit = startAudit(place);
      const counting = await startCounting(torn, 'a', systemClock);
      for (const fate of fates) {
        // The moved parcel is removed, then restored: two changes with their own statements.
        for (let number = 1, cutsNow = 2; cutsNow > 0; number += 1) {
          cutsNow = 0;
          for (let half = 0; half < 2; half += 1) {
            const first = proxy.statements.length;
            proxy.decide((statement) => {
              if (statement.number !== first + number) return 'pass';
              cutsNow += 1;
              return fate;
            });
            await counting.next();
            proxy.decide(() => 'pass');
            found = allOf([found, await audit.check(new Map([['a', counting.count]]))]);
            statements = Math.max(statements, number);
          }
          cuts += cutsNow;
        }
      }
      counting.close();
      return {
        measure: 'connection cut before, after and in silence at every statement',
        ...found,
        broken: 0,
        cuts,
        statements,
      };
    } finally {
      await torn.close();
      await proxy.close();
    }
  });
}
