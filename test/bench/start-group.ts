import type { BenchOptions } from './bench-options.ts';
import { compare, type Spread, spreadOf } from './figures.ts';
import { besideFinding, type Finding, missingFinding, plainFinding } from './finding.ts';
import { measureInTurn } from './in-turn.ts';
import { bareInk, bareNode, board, type Program, selectedRow, settle, start } from './programs.ts';
import type { Screen } from './screen.ts';
import type { User, Workshop } from './workshop.ts';

const group = 'Start';

/** One start, in milliseconds from the start of the process. */
interface StartTimes {
  /** To the last byte of the frame that was kept when the board was left; null where none was shown. */
  readonly keptMs: number | null;
  /** To the last byte of the first frame of what is so now. */
  readonly liveMs: number;
  /** To the last byte of the frame in which a key has moved the selection, pressed when the first frame stood; null where there is none. */
  readonly answeredMs: number | null;
}

/** What the start group came to. */
export interface StartFindings {
  readonly findings: readonly Finding[];
  /** How far starts of a bare Node lay apart, which always does the same. */
  readonly bareNode: Spread;
}

/**
 * Starts boards with and without a kept frame, and bare programs, in turn. The service is asked at once and never answers,
 * or nothing is due where 10,000 parcels are set beside 10.
 */
export async function measureStarts(workshop: Workshop, { startRounds }: BenchOptions): Promise<StartFindings> {
  const users = {
    few: await workshop.user(10, 'asks and waits'),
    some: await workshop.user(1000, 'asks and waits'),
    fewAtRest: await workshop.user(10, 'nothing to do'),
    manyAtRest: await workshop.user(10_000, 'nothing to do'),
  };
  // As every start but a user's first finds it: what a board leaves behind is there, such as the digest of a long list.
  await Promise.all(Object.values(users).map(async (user) => await leaveOnce(board(user))));
  const afresh = (user: User, then: 'press a key' | 'end') => async () => {
    user.forgetKeptScreen();
    return await startBoard(board(user), then);
  };
  const times = await measureInTurn(startRounds, {
    node: () => startBare(bareNode(workshop)),
    oneLine: () => startBare(bareInk(workshop, 'one line')),
    rows: () => startBare(bareInk(workshop, '48 rows')),
    few: afresh(users.few, 'end'),
    some: afresh(users.some, 'press a key'),
    fewAtRest: afresh(users.fewAtRest, 'end'),
    manyAtRest: afresh(users.manyAtRest, 'end'),
    // Whenever it is their turn, a board of theirs has been left before.
    kept: () => startBoard(board(users.some), 'press a key'),
  });
  const live = (name: keyof typeof times): readonly number[] => times[name].map(({ liveMs }) => liveMs);
  const kept = times.kept.flatMap(({ keptMs }) => keptMs ?? []);
  const about = (name: string, aim?: number) => ({ group, name, ...(aim === undefined ? {} : { aim }) });
  const answered = (name: 'kept' | 'some') => times[name].flatMap(({ answeredMs }) => answeredMs ?? []);
  return {
    bareNode: spreadOf(live('node')),
    findings: [
      kept.length === times.kept.length
        ? besideFinding(about('kept frame, 1,000 parcels', 1.3), 'bare Node', compare(kept, live('node')))
        : missingFinding({ ...about('kept frame, 1,000 parcels', 1.3), note: 'no kept frame was shown' }, 'times'),
      besideFinding(about('live frame, 10 parcels', 1.5), 'bare Ink, a line', compare(live('few'), live('oneLine'))),
      besideFinding(about('live frame, 1,000', 1.5), 'bare Ink, a line', compare(live('some'), live('oneLine'))),
      besideFinding(about('live frame, 1,000'), 'bare Ink, 48 rows', compare(live('some'), live('rows'))),
      besideFinding(about('live frame, 10,000', 1.3), 'with 10', compare(live('manyAtRest'), live('fewAtRest'))),
      besideFinding(about('live frame in place of a kept one'), 'without', compare(live('kept'), live('some'))),
      plainFinding(about('first key answered, 1,000'), 'ms', spreadOf(answered('some'))),
      plainFinding(about('first key answered, with a kept frame'), 'ms', spreadOf(answered('kept'))),
    ],
  };
}

async function startBare(program: Program): Promise<StartTimes> {
  const run = start(program);
  try {
    return { keptMs: null, liveMs: (await run.waitFor(program.marker)) - run.startedAt, answeredMs: null };
  } finally {
    await run.end();
  }
}

/** Starts a board; presses a key at the first frame that is seen, waits for what it does, and leaves; or ends it before. */
async function startBoard(program: Program, then: 'press a key' | 'end'): Promise<StartTimes> {
  const run = start(program);
  try {
    await run.waitFor(program.marker);
    if (then === 'press a key') run.press('j');
    const isWhole = (screen: Screen): boolean => screen.row(-1).includes(program.marker);
    const firstAt = await run.waitForScreen(isWhole, 'a first frame');
    const wasKept = isKept(run.screen);
    const selected = selectedRow(run.screen);
    const liveAt = wasKept
      ? await run.waitForScreen((screen) => isWhole(screen) && !isKept(screen), 'a live frame')
      : firstAt;
    const times = { keptMs: wasKept ? firstAt - run.startedAt : null, liveMs: liveAt - run.startedAt };
    if (then === 'end') return { ...times, answeredMs: null };
    const answeredAt = await run.waitForScreen((screen) => selectedRow(screen) !== selected, 'a moved selection');
    // As people leave, so that the frame is kept.
    run.press('q');
    await run.waitForEnd();
    return { ...times, answeredMs: answeredAt - run.startedAt };
  } finally {
    await run.end();
  }
}

/** Starts a board and leaves it as people do, when it answers keys. */
async function leaveOnce(program: Program): Promise<void> {
  const run = start(program);
  try {
    await settle(run, program.marker);
    run.press('q');
    await run.waitForEnd();
  } finally {
    await run.end();
  }
}

/** A frame that was kept says in the header how old it is. */
function isKept(screen: Screen): boolean {
  return /as of \d/i.test(screen.row(0));
}
