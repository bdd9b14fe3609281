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
import { type Audit, logProblems, reportedProblems, startAudit, startCounter } from './counting.ts';
import {
  noProblems,
  type ProblemCounts,
  type ScenarioOptions,
  type ScenarioResult,
  sum,
  totalProblems,
  withTempFolder,
} from './measure.ts';
import { addParcels, type OpenWatchlist, openWatchlist } from './place.ts';
import { CountingWriters, createWriterStarter, type StartWriter } from './writers.ts';

const run = promisify(execFile);

/** A store that only one scenario uses. */
interface StoreUnderTest {
  /** A folder, or an address. */
  readonly at: string;
  readonly place: OpenWatchlist;
  /** Null for files. */
  readonly server: PostgresServer | null;
}

/** Runs `work` with an empty store. */
async function withStore<Result>(
  { store }: Pick<ScenarioOptions, 'store'>,
  work: (storeUnderTest: StoreUnderTest) => Promise<Result>,
  options: PostgresServerOptions = {},
): Promise<Result> {
  return await withTempFolder(async (folder) => {
    const server = store === 'postgres' ? await startPostgresServer(options) : null;
    const at = server?.address() ?? join(options.folder ?? folder, 'watchlist');
    if (server === null) await mkdir(at, { recursive: true });
    try {
      const place = await openWatchlist(at);
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

interface WritersUnderTest {
  readonly storeUnderTest: StoreUnderTest;
  readonly writers: CountingWriters;
  readonly audit: Audit;
  /** Compares the written data with the acknowledged changes, and counts the problems. */
  check(): Promise<void>;
}

/** Runs several counters at the same time while `act` disturbs them, and compares the result. */
async function runWithWriters(
  measure: string,
  scenario: ScenarioOptions,
  names: readonly string[],
  act: (scene: WritersUnderTest) => Promise<Readonly<Record<string, number>>>,
  serverOptions?: PostgresServerOptions,
): Promise<ScenarioResult> {
  const work = async (storeUnderTest: StoreUnderTest): Promise<ScenarioResult> => {
    const writers = new CountingWriters(storeUnderTest.at, names);
    try {
      const audit = startAudit(storeUnderTest.place);
      let found = noProblems;
      const check = async (): Promise<void> => {
        found = totalProblems([found, await audit.check(writers.acknowledged)]);
      };
      const details = await act({ storeUnderTest, writers, audit, check });
      await writers.killAll();
      await check();
      const changes = sum([...writers.acknowledged.values()]);
      return { measure, ...found, lost: found.lost + writers.lost, broken: 0, changes, ...details };
    } finally {
      await writers.killAll();
    }
  };
  return await withStore(scenario, work, serverOptions);
}

const fourNames = ['a', 'b', 'c', 'd'];

/** Kills one of four writers at a random moment and restarts it, again and again. */
export async function killOneOfFourWriters(options: ScenarioOptions): Promise<ScenarioResult> {
  const { shouldContinue, random } = options;
  return await runWithWriters('kill -9 of one of four writers', options, fourNames, async ({ audit, writers }) => {
    let kills = 0;
    do {
      const name = fourNames[kills % fourNames.length] ?? '';
      await writers.waitForWrites(name, 1 + Math.floor(random() * 4));
      await delay(random() * 20);
      await writers.kill(name);
      writers.start(name);
      kills += 1;
      if (kills % 50 === 0) await audit.follow();
    } while (shouldContinue(kills));
    await writers.waitForAllWrites(1);
    return { kills };
  });
}

/** Kills the only writer at a random moment, again and again, and checks the result each time. */
export async function killOnlyWriter(options: ScenarioOptions): Promise<ScenarioResult> {
  const { shouldContinue, random } = options;
  return await runWithWriters('kill -9 of the only writer', options, ['a'], async ({ check, writers }) => {
    let kills = 0;
    do {
      if (kills > 0) writers.start('a');
      await writers.waitForWrites('a', Math.floor(random() * 7));
      await delay(random() * 20);
      await writers.kill('a');
      await check();
      kills += 1;
    } while (shouldContinue(kills));
    return { kills };
  });
}

const numbersOf = (writers: number, each: number): readonly string[] =>
  Array.from({ length: writers * each }, (_, index) => `P${Math.floor(index / each)}N${index % each}`);

/** Starts processes that add numbers, and returns how many of them failed. */
async function addNumbers(at: string, processes: number, each: number, start: StartWriter): Promise<number> {
  const adders = Array.from({ length: processes }, (_, index) => start('add', at, `P${index}N`, `${each}`));
  const codes = await Promise.all(adders.map(({ ended }) => ended));
  return codes.filter((code) => code !== 0).length;
}

/** @param excused numbers that may be missing */
async function checkAdded(
  place: OpenWatchlist,
  wanted: readonly string[],
  excused: ReadonlySet<string> = new Set(),
): Promise<ProblemCounts & { readonly missing: number }> {
  const names = (await place.store.read()).parcels.map(({ trackNo }) => trackNo);
  const there = new Set(names);
  // A change that an editor overwrote was still written, so it must be in the log.
  const log = logProblems(await place.store.changeLogAfter(0), new Map(wanted.map((name) => [`added ${name}`, 1])));
  const found = totalProblems([log, await reportedProblems(place)]);
  const missing = wanted.filter((name) => !there.has(name) && !excused.has(name)).length;
  return { ...found, doubled: found.doubled + names.length - there.size, missing };
}

/** Lets several processes add numbers to an empty store at the same time. */
export async function addSimultaneously(options: ScenarioOptions, each = 100): Promise<ScenarioResult> {
  let [rounds, broken, found] = [0, 0, noProblems];
  do {
    const processes = 2 + (rounds % 2) * 3;
    await withStore(options, async ({ at, place }) => {
      broken += await addNumbers(at, processes, each, createWriterStarter());
      const { missing, ...others } = await checkAdded(place, numbersOf(processes, each));
      found = totalProblems([found, others, { ...noProblems, lost: missing }]);
    });
    rounds += 1;
  } while (options.shouldContinue(rounds));
  return { measure: `two or five processes add ${each} numbers each`, ...found, broken, rounds };
}

/** What the editor prints after each edit. */
interface EditReport {
  /** Whether the file still had its last edit. */
  readonly isIntact: boolean;
  /** Numbers that were added since it had read the file. */
  readonly overwritten: readonly string[];
}

/**
 * The share of edits in which the editor and the program may rename their files at the same instant: both check the
 * file and then rename, and no system call that we can use does both at once.
 */
const maxRaceShare = 0.03;

/**
 * Lets an editor that takes no lock rewrite the file while processes add numbers. Numbers that it overwrites itself do
 * not count as lost, nor do simultaneous renames, unless there are more of them than chance allows.
 */
export async function addDuringEdits(options: ScenarioOptions, each = 150): Promise<ScenarioResult> {
  const [processes, edited] = [2, 'edited'];
  const totals = { edits: 0, overwritten_by_the_editor: 0, renamed_in_one_instant: 0 };
  let [rounds, broken, found] = [0, 0, noProblems];
  do {
    await withStore(options, async ({ at, place }) => {
      await addParcels(place.store, [edited], systemClock.now());
      const start = createWriterStarter();
      const editor = start('edit', at, edited);
      // It starts before the first addition and edits until after the last.
      await editor.waitForLines(2);
      broken += await addNumbers(at, processes, each, start);
      editor.child.kill('SIGTERM');
      broken += Number((await editor.ended) !== 0);
      const reports = editor.lines.slice(1).map((line): EditReport => JSON.parse(line));
      const overwritten = new Set(reports.flatMap((report) => report.overwritten));
      const { missing, ...others } = await checkAdded(place, [edited, ...numbersOf(processes, each)], overwritten);
      const isLastThere = (await place.store.read()).parcels.some(
        ({ label, trackNo }) => trackNo === edited && label === `${reports.length}`,
      );
      found = totalProblems([found, others]);
      totals.edits += reports.length;
      totals.overwritten_by_the_editor += overwritten.size;
      totals.renamed_in_one_instant +=
        missing + reports.filter(({ isIntact }) => !isIntact).length + Number(!isLastThere);
    });
    rounds += 1;
  } while (options.shouldContinue(rounds));
  const tooMany = totals.renamed_in_one_instant > Math.ceil(totals.edits * maxRaceShare);
  const lost = found.lost + (tooMany ? totals.renamed_in_one_instant : 0);
  return { measure: `two processes add ${each} numbers each during edits`, ...found, lost, broken, ...totals };
}

/** Kills and restarts the server repeatedly while four hosts write. None of them may exit because of that. */
export async function killServer(options: ScenarioOptions): Promise<ScenarioResult> {
  const { shouldContinue, random } = options;
  return await runWithWriters(
    'kill -9 and restart of the server during four writers',
    options,
    fourNames,
    async ({ audit, storeUnderTest, writers }) => {
      let kills = 0;
      do {
        await writers.waitForAllWrites(2);
        await delay(random() * 50);
        await storeUnderTest.server?.end('kill');
        await delay(random() * 200);
        await storeUnderTest.server?.start();
        await audit.follow();
        kills += 1;
      } while (shouldContinue(kills));
      await writers.waitForAllWrites(2);
      return { kills };
    },
  );
}

/** Fills the disk while four writers write, and frees it again. Null if no small disk can be mounted. */
export async function fillDisk(options: ScenarioOptions): Promise<ScenarioResult | null> {
  const { shouldContinue, store } = options;
  return await withTempFolder(async (folder) => {
    const size = store === 'postgres' ? '160m' : '8m';
    const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).then(
      () => true,
      () => false,
    );
    if (!isMounted) return null;
    const settings = { wal_recycle: 'off', min_wal_size: '4MB', max_wal_size: '8MB', full_page_writes: 'on' };
    try {
      const act = async ({
        storeUnderTest: { server },
        writers,
      }: WritersUnderTest): Promise<Readonly<Record<string, number>>> => {
        let [times, crashes] = [0, 0];
        const ballast = join(folder, 'ballast');
        do {
          await writers.waitForAllWrites(2);
          await fillFile(ballast);
          await waitForStandstill(writers);
          crashes += Number(server !== null && server.pid() === null);
          await rm(ballast);
          await server?.start();
          await writers.waitForAllWrites(2);
          times += 1;
        } while (shouldContinue(times));
        return { times, crashes_of_the_server: crashes };
      };
      return await runWithWriters('full disk during four writers', options, fourNames, act, {
        folder,
        settings,
        walSegmentMb: 1,
      });
    } finally {
      await run('umount', ['-l', folder]);
    }
  });
}

/** Fills the disk with this file. */
async function fillFile(path: string): Promise<void> {
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

/** Waits until there have been no writes for two seconds. */
async function waitForStandstill(writers: CountingWriters): Promise<void> {
  for (let last = -1; writers.lineCount() !== last; ) {
    last = writers.lineCount();
    await delay(2_000);
  }
}

/** Cuts or silences a host's connection at each of its statements, one at a time. */
export async function cutStatements(
  options: ScenarioOptions,
  fates: readonly Fate[] = ['before', 'after', 'silence'],
): Promise<ScenarioResult> {
  return await withStore(options, async ({ at, place }) => {
    const proxy = await startCuttingProxy(at);
    const timings = { responseMs: 1_500, connectMs: 1_500, heartbeatAnswerMs: 1_500 };
    const cutOff = await openWatchlist(proxy.through(at), { timings });
    let [found, cuts, statements] = [noProblems, 0, 0];
    try {
      const audit = startAudit(place);
      const counting = await startCounter(cutOff, 'a', systemClock);
      for (const fate of fates) {
        // Count twice: the moved parcel is removed, then restored, with different statements.
        for (let number = 1, cutsNow = 2; cutsNow > 0; number += 1) {
          cutsNow = 0;
          for (let half = 0; half < 2; half += 1) {
            const first = proxy.statements.length;
            proxy.decide((statement) => {
              if (statement.number !== first + number) return 'pass';
              cutsNow += 1;
              return fate;
            });
            await counting.increment();
            proxy.decide(() => 'pass');
            found = totalProblems([found, await audit.check(new Map([['a', counting.count]]))]);
            statements = Math.max(statements, number);
          }
          cuts += cutsNow;
        }
      }
      counting.close();
      return {
        measure: 'connection cut before, after and silenced at every statement',
        ...found,
        broken: 0,
        cuts,
        statements,
      };
    } finally {
      await cutOff.close();
      await proxy.close();
    }
  });
}
