import { compare, measureInTurn, type Rounds } from './figures.ts';
import { comparedFinding, type Finding, missingFinding } from './findings.ts';
import { bareInk, bareNode, board, end, type Program, settle, start } from './programs.ts';
import { waitForOutput, waitForScreen } from './timing.ts';
import type { User, Workshop } from './workshop.ts';

const group = 'Start';

/**
 * Starts boards with and without a saved screen, and bare programs, alternately. The service is queried immediately and
 * never responds. With 10,000 parcels nothing is due.
 */
export async function measureStarts(workshop: Workshop, rounds: Rounds): Promise<readonly Finding[]> {
  const users = {
    few: await workshop.user(10, 'asks and waits'),
    some: await workshop.user(1000, 'asks and waits'),
    many: await workshop.user(10_000, 'nothing to do'),
    kept: await workshop.user(1000, 'asks and waits', 'returning user'),
  };
  await leaveOnce(board(users.kept));
  const times = await measureInTurn<string, number | null>(rounds, {
    node: () => startBare(bareNode(workshop)),
    rows: () => startBare(bareInk(workshop)),
    few: () => liveFrame(users.few),
    some: () => liveFrame(users.some),
    many: () => liveFrame(users.many),
    kept: () => keptFrame(users.kept),
  });
  const ms = (name: string): readonly number[] => times[name]?.flatMap((one) => one ?? []) ?? [];
  const keptAbout = { group, name: 'saved screen, 1,000 parcels', aim: 1.3 };
  const live = (name: 'few' | 'some' | 'many', parcels: string, aim: number): Finding =>
    comparedFinding({ group, name: `live frame, ${parcels}`, aim }, 'bare Ink, 48 rows', compare(ms(name), ms('rows')));
  return [
    ms('kept').length === ms('node').length
      ? comparedFinding(keptAbout, 'bare Node', compare(ms('kept'), ms('node')))
      : missingFinding({ ...keptAbout, note: 'no saved screen was shown' }, 'times'),
    live('few', '10 parcels', 1.4),
    live('some', '1,000', 1.4),
    live('many', '10,000', 2.2),
  ];
}

/** From the start to the last byte of the first frame, in milliseconds. */
async function startBare(program: Program): Promise<number> {
  const run = start(program);
  try {
    return (await waitForOutput(run, program.marker)) - run.startedAt;
  } finally {
    await end(run);
  }
}

/** From the start to the last byte of the first current frame without a saved screen, in milliseconds. */
async function liveFrame(user: User): Promise<number> {
  user.removeSavedScreen();
  return await startBare(board(user));
}

/**
 * From the start to the last byte of the saved screen, in milliseconds, or null if none was shown. The board is quit
 * with a key, so that the next start has a saved screen.
 */
async function keptFrame(user: User): Promise<number | null> {
  const program = board(user);
  const run = start(program);
  const isWhole = (rows: readonly string[]): boolean => rows.at(-1)?.includes(program.marker) === true;
  try {
    const firstAt = await waitForScreen(run, isWhole, 'a first frame');
    const keptMs = isKept(run.rows()) ? firstAt - run.startedAt : null;
    await waitForScreen(run, (rows) => isWhole(rows) && !isKept(rows), 'a live frame');
    await run.type('q').exit;
    return keptMs;
  } finally {
    await end(run);
  }
}

/** Starts a board and quits it with a key. */
async function leaveOnce(program: Program): Promise<void> {
  const run = start(program);
  try {
    await settle(run, program.marker);
    await run.type('q').exit;
  } finally {
    await end(run);
  }
}

/** A saved screen shows its age in the header. */
export function isKept([header = '']: readonly string[]): boolean {
  return /as of \d/i.test(header);
}
