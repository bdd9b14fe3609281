import { compare, measureAlternately, type Rounds } from './figures.ts';
import { comparedFinding, type Finding, missingFinding } from './findings.ts';
import { bareInk, bareNode, board, end, type Program, settle, start } from './programs.ts';
import { waitForOutput, waitForScreen } from './timing.ts';
import type { User, Workshop } from './workshop.ts';

const group = 'Start';

/**
 * Starts boards with and without a saved screen and bare programs, alternately. The boards query a service that never
 * responds, except with 10,000 parcels, which are not due yet.
 */
export async function measureStarts(workshop: Workshop, rounds: Rounds): Promise<readonly Finding[]> {
  const users = {
    few: await workshop.user(10, 'asks and waits'),
    some: await workshop.user(1000, 'asks and waits'),
    many: await workshop.user(10_000, 'nothing to do'),
    saved: await workshop.user(1000, 'asks and waits', 'returning user'),
  };
  await saveScreen(board(users.saved));
  const times = await measureAlternately<string, number | null>(rounds, {
    node: () => startBare(bareNode(workshop)),
    rows: () => startBare(bareInk(workshop)),
    few: () => liveFrame(users.few),
    some: () => liveFrame(users.some),
    many: () => liveFrame(users.many),
    saved: () => savedFrame(users.saved),
  });
  const ms = (name: string): readonly number[] => times[name]?.flatMap((time) => time ?? []) ?? [];
  const savedOptions = { group, name: 'saved screen, 1,000 parcels', aim: 1.3 };
  const live = (name: 'few' | 'some' | 'many', parcels: string, aim: number): Finding =>
    comparedFinding({ group, name: `live frame, ${parcels}`, aim }, 'bare Ink, 48 rows', compare(ms(name), ms('rows')));
  return [
    ms('saved').length === ms('node').length
      ? comparedFinding(savedOptions, 'bare Node', compare(ms('saved'), ms('node')))
      : missingFinding({ ...savedOptions, note: 'no saved screen was shown' }, 'times'),
    live('few', '10 parcels', 1.4),
    live('some', '1,000', 1.4),
    live('many', '10,000', 2.2),
  ];
}

/** Returns the time from the start to the last byte of the first frame, in milliseconds. */
async function startBare(program: Program): Promise<number> {
  const run = start(program);
  try {
    return (await waitForOutput(run, program.marker)) - run.startedAt;
  } finally {
    await end(run);
  }
}

/** Returns the time from the start to the last byte of the first live frame without a saved screen, in milliseconds. */
async function liveFrame(user: User): Promise<number> {
  user.removeSavedScreen();
  return await startBare(board(user));
}

/**
 * Returns the time from the start to the last byte of the saved screen, in milliseconds, or null if none was shown.
 * Quits the board with a key, so that it saves its screen for the next start.
 */
async function savedFrame(user: User): Promise<number | null> {
  const program = board(user);
  const run = start(program);
  const isComplete = (rows: readonly string[]): boolean => rows.at(-1)?.includes(program.marker) === true;
  try {
    const firstAt = await waitForScreen(run, isComplete, 'a first frame');
    const savedMs = isSavedScreen(run.rows()) ? firstAt - run.startedAt : null;
    await waitForScreen(run, (rows) => isComplete(rows) && !isSavedScreen(rows), 'a live frame');
    await run.type('q').exit;
    return savedMs;
  } finally {
    await end(run);
  }
}

/** Starts a board and quits it with a key, so that it saves its screen. */
async function saveScreen(program: Program): Promise<void> {
  const run = start(program);
  try {
    await settle(run, program.marker);
    await run.type('q').exit;
  } finally {
    await end(run);
  }
}

/** Whether these rows are a saved screen, which shows its age in the header. */
export function isSavedScreen([header = '']: readonly string[]): boolean {
  return /as of \d/i.test(header);
}
