import { performance } from 'node:perf_hooks';
import type { OpenStore } from '../torture/counting.ts';
import type { BenchOptions } from './bench-options.ts';
import { StoreWriter } from './database-writer.ts';
import { compare, spreadOf } from './figures.ts';
import { besideFinding, type Finding, plainFinding } from './finding.ts';
import { measureInTurn } from './in-turn.ts';
import { presser } from './key-group.ts';
import { board, quietMs, selectedRow, settle, size, start } from './programs.ts';
import type { Screen } from './screen.ts';
import type { TerminalProgram } from './terminal-program.ts';
import type { User, Workshop } from './workshop.ts';

/** Longest wait from a commit to a frame of somebody else. */
const feedAimMs = 100;
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

/** Starts, keys and news of boards on a database, beside boards of 1,000 parcels in files. */
export async function measureDatabaseBoards(
  { count, group, user, workshop, writing }: BoardsOnDatabase,
  options: BenchOptions,
): Promise<readonly Finding[]> {
  const files = await workshop.user(inFiles, 'nothing to do');
  const other = `${inFiles.toLocaleString('en')} in files`;
  await leaveDigest(user);
  const starts = await measureInTurn(options.startRounds, {
    files: async () => await startOnce(files),
    database: async () => await startOnce(user),
  });
  const runs = { files: start(board(files)), database: start(board(user)) };
  try {
    await Promise.all(Object.values(runs).map(async (run) => await run.waitForScreen(showsRows, 'a list')));
    await Promise.all(Object.values(runs).map(async (run) => await settle(run, board(user).marker)));
    const presses = await measureInTurn(options.keyRounds, {
      files: presser(runs.files),
      database: presser(runs.database),
    });
    const frames = (name: keyof typeof presses): readonly number[] => presses[name].map(({ frameMs }) => frameMs);
    await runs.files.end();
    const feed = await measureFeed(runs.database, await StoreWriter.open(writing.store, count), options);
    return [
      besideFinding({ group, name: 'board: live frame' }, other, compare(starts.database, starts.files)),
      besideFinding(
        { group, name: 'board: key to frame', aim: 1.2 },
        other,
        compare(frames('database'), frames('files')),
      ),
      plainFinding({ group, name: 'commit to frame of another host', aim: feedAimMs }, 'ms', spreadOf(feed)),
    ];
  } finally {
    await Promise.all(Object.values(runs).map(async (run) => await run.end()));
  }
}

/** Has a board open for as long as it takes to keep what the next one shows before it has read a long list. */
async function leaveDigest(user: User): Promise<void> {
  const run = start(board(user));
  try {
    await run.waitForScreen(showsRows, 'a list');
    await new Promise((resolve) => setTimeout(resolve, 10_000));
  } finally {
    await run.end();
  }
}

/** From the start to the first whole frame with parcels that is no kept one. */
async function startOnce(user: User): Promise<number> {
  user.forgetKeptScreen();
  const run = start(board(user));
  try {
    return (await run.waitForScreen(showsRows, 'a list')) - run.startedAt;
  } finally {
    await run.end();
  }
}

function showsRows(screen: Screen): boolean {
  return screen.row(-1).includes('quit') && selectedRow(screen) !== null && !/as of \d/i.test(screen.row(0));
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
