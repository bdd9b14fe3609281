import { performance } from 'node:perf_hooks';
import type { OpenStore } from '../support/postgres/open-store.ts';
import type { BenchOptions } from './bench-options.ts';
import { StoreWriter } from './database-writer.ts';
import { compare, spreadOf } from './figures.ts';
import { besideFinding, type Finding, missingFinding, plainFinding } from './finding.ts';
import { measureInTurn } from './in-turn.ts';
import { presser } from './key-group.ts';
import { board, quietMs, selectedRow, settle, size, start } from './programs.ts';
import type { Screen } from './screen.ts';
import { isKept } from './start-group.ts';
import type { TerminalProgram } from './terminal-program.ts';
import type { User, Workshop } from './workshop.ts';

/** Longest wait from a commit to a frame of somebody else. */
const feedAimMs = 100;
/** Longest wait for the list. */
const listAimMs = 5_000;
/** So many parcels take so long to be read that a board has to say how far it is. */
const longList = 100_000;
/** Boards of files with so many parcels are those beside. */
const inFiles = 1_000;

/** Whose boards are measured. */
export interface BoardsOnDatabase {
  readonly group: string;
  readonly user: User;
  /** Another host on the same watchlist. */
  readonly writing: OpenStore;
  readonly workshop: Workshop;
  readonly count: number;
}

/** Starts and news of boards on a database, and their keys beside those of boards of 1,000 parcels in files. */
export async function measureDatabaseBoards(
  boards: BoardsOnDatabase,
  options: BenchOptions,
): Promise<readonly Finding[]> {
  const { count, group, user, workshop, writing } = boards;
  const files = await workshop.user(inFiles, 'nothing to do');
  const other = `${inFiles.toLocaleString('en')} in files`;
  const starts = await startFindings(boards, options);
  const runs = { files: start(board(files)), database: start(board(user)) };
  try {
    await Promise.all(Object.values(runs).map(async (run) => await run.waitForScreen(showsRows, 'a list')));
    await Promise.all(Object.values(runs).map(async (run) => await settle(run, board(user).marker)));
    const presses = await measureInTurn(options.keyRounds, {
      files: presser(runs.files),
      database: presser(runs.database),
    });
    await runs.files.end();
    const feed = await measureFeed(runs.database, await StoreWriter.open(writing.store, count), options);
    return [
      ...starts,
      besideFinding({ group, name: 'board: key to frame', aim: 1.2 }, other, compare(presses.database, presses.files)),
      plainFinding({ group, name: 'commit to frame of another host', aim: feedAimMs }, 'ms', spreadOf(feed)),
    ];
  } finally {
    await Promise.all(Object.values(runs).map(async (run) => await run.end()));
  }
}

/** One start of a board, in milliseconds from the start of the process. */
interface StartTimes {
  /** To the first whole frame with parcels. */
  readonly listMs: number;
  /** To the first row that says how far the list is read; null where none did. */
  readonly toldMs: number | null;
}

/** Starts a board without a kept frame. */
async function startOnce(user: User, count: number): Promise<StartTimes> {
  user.forgetKeptScreen();
  const run = start(board(user));
  const told = run.waitFor(` of ${count.toLocaleString('en')} parcels`).then(
    (at) => at - run.startedAt,
    () => null,
  );
  try {
    const listMs = (await run.waitForScreen(showsRows, 'a list')) - run.startedAt;
    // The end of the program ends the waiting for what was never said.
    await run.end();
    return { listMs, toldMs: await told };
  } finally {
    await run.end();
  }
}

/** How long it takes until a board shows its list, and whether it says meanwhile how far that is. */
async function startFindings(
  { count, group, user }: BoardsOnDatabase,
  { startRounds }: BenchOptions,
): Promise<readonly Finding[]> {
  const { starts } = await measureInTurn(startRounds, { starts: async () => await startOnce(user, count) });
  const told = starts.flatMap(({ toldMs }) => toldMs ?? []);
  const about = { group, name: 'board: says how far it is' };
  return [
    plainFinding(
      { group, name: 'board: live frame', aim: listAimMs },
      'ms',
      spreadOf(starts.map(({ listMs }) => listMs)),
    ),
    ...(told.length === starts.length
      ? [plainFinding(about, 'ms', spreadOf(told))]
      : // Short lists are there before anything is to be said.
        count < longList
        ? []
        : [missingFinding({ ...about, note: `said in ${told.length} of ${starts.length} starts` }, 'ms')]),
  ];
}

function showsRows(screen: Screen): boolean {
  return screen.row(-1).includes('quit') && selectedRow(screen) !== null && !isKept(screen);
}

/** From when a write of another host has ended there to the frame that shows it. */
async function measureFeed(
  run: TerminalProgram,
  writer: StoreWriter,
  { databaseRounds }: BenchOptions,
): Promise<readonly number[]> {
  await run.draw();
  const rows = Array.from({ length: size.rows }, (_, row) => run.screen.row(row));
  const selected = selectedRow(run.screen);
  const shown = rows
    .map((row, index) => (index === selected ? null : /Order (\d+)/.exec(row)?.[1]))
    .find((number) => number != null);
  if (shown === undefined) throw new Error('The board shows no parcel that has a label.');
  let counter = 0;
  const { feed } = await measureInTurn(databaseRounds, {
    feed: async () => {
      counter += 1;
      const label = `Fed ${counter} times`;
      await run.waitUntilQuiet(quietMs);
      await run.draw();
      await writer.label(label, `seeded-${Number(shown) - 1}`);
      const committedAt = performance.now();
      const isShown = (screen: Screen): boolean =>
        Array.from({ length: size.rows }, (_, row) => screen.row(row)).some((row) => row.includes(label));
      // The frame may come before the writer has heard of its commit.
      return Math.max(0, (await run.waitForScreen(isShown, label)) - committedAt);
    },
  });
  return feed;
}
