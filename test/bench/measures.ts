import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { bareMarker } from './bare-marker.ts';
import { compare, median, quartiles, round, type Sample } from './figures.ts';
import { TerminalProgram } from './terminal-program.ts';
import { boardScript, type User, type Workshop } from './workshop.ts';

/** One line of the output. Nothing is asserted: a slow machine is no fault of the program's. */
export type Measure = Readonly<Record<string, string | number | boolean | readonly number[]>>;

const size = { columns: 160, rows: 50 };
/** The footer's last hint, at the very end of a frame. */
export const boardMarker = 'quit';
/** Ink ends every frame with the end of a synchronised update. */
const endOfFrame = '\u001b[?2026l';
/** Longer than the pause that Ink keeps between two frames, so that no frame waits for the one before. */
const quietMs = 120;

/**
 * Start to the first whole frame, beside a bare Ink program of one line, and beside one that fills the screen as the
 * board has to. The service is asked and never answers.
 */
export async function startToFirstFrame(workshop: Workshop, parcels: number): Promise<readonly Measure[]> {
  const user = await workshop.newUser(parcels, 'an-hour-ago');
  const board = firstFrame([boardScript], user, boardMarker);
  const oneLine = await compare(15, board, firstFrame([workshop.bareScript], workshop, bareMarker));
  const fullScreen = await compare(15, board, firstFrame([workshop.bareScript, 'rows'], workshop, bareMarker));
  return [
    {
      measure: 'start-to-first-frame',
      parcels,
      ratio: oneLine.ratio,
      aim: 1.3,
      board_ms: oneLine.ours,
      bare_ms: oneLine.bare,
      runs: oneLine.runs,
      spread: oneLine.spread,
    },
    {
      measure: 'start-to-first-frame beside a full screen',
      parcels,
      ratio: fullScreen.ratio,
      board_ms: fullScreen.ours,
      bare_48_rows_ms: fullScreen.bare,
      runs: fullScreen.runs,
      spread: fullScreen.spread,
    },
  ];
}

/** Takes the time from the start of a program to the frame that holds a marker. */
export function firstFrame(nodeArguments: readonly string[], { environment }: User, marker: string): Sample {
  return async () => {
    const program = new TerminalProgram({ nodeArguments, environment, ...size });
    try {
      return (await program.waitFor(marker)) - program.startedAt;
    } finally {
      await program.end();
    }
  };
}

/** A command from start to end, beside a Node that does nothing. */
export async function command(
  workshop: Workshop,
  commandArguments: readonly string[],
  parcels: number,
  aim?: number,
): Promise<Measure> {
  const user = await workshop.newUser(parcels, 'in-six-hours');
  const result = await compare(20, runToEnd([boardScript, ...commandArguments], user), runToEnd(['-e', '0'], workshop));
  return {
    measure: `command ${commandArguments.join(' ')}`,
    parcels,
    ratio: result.ratio,
    ...(aim === undefined ? {} : { aim }),
    command_ms: result.ours,
    bare_ms: result.bare,
    runs: result.runs,
    spread: result.spread,
  };
}

function runToEnd(nodeArguments: readonly string[], { environment }: User): Sample {
  return async () => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, nodeArguments, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.resume();
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const took = performance.now() - startedAt;
    if (code !== 0) throw new Error(`${nodeArguments.join(' ')} ended with ${code}.`);
    return took;
  };
}

/** The selection moves: time to the frame, time until the timeline stands too, and bytes, for each key press. */
export async function movingTheSelection(workshop: Workshop, parcels: number): Promise<readonly Measure[]> {
  const user = await workshop.newUser(parcels, 'in-six-hours');
  const board = new TerminalProgram({ nodeArguments: [boardScript], environment: user.environment, ...size });
  const bare = new TerminalProgram({
    nodeArguments: [workshop.bareScript, 'rows'],
    environment: workshop.environment,
    ...size,
  });
  try {
    await Promise.all([board.waitFor(boardMarker), bare.waitFor(bareMarker)]);
    await Promise.all([board.waitUntilQuiet(500), bare.waitUntilQuiet(500)]);
    const moves: Move[] = [];
    const result = await compare(
      60,
      async () => {
        const move = await pressAndWait(board, moves.length);
        moves.push(move);
        return move.frameMs;
      },
      // The counter of the board's moves also turns the bare program around at the same places.
      async () => (await pressAndWait(bare, moves.length)).frameMs,
    );
    const settled = moves.map((move) => move.settledMs);
    const bytes = moves.map((move) => move.bytes);
    return [
      {
        measure: 'frame when the selection moves',
        parcels,
        ratio: result.ratio,
        aim: 1.5,
        board_ms: result.ours,
        bare_48_rows_ms: result.bare,
        timeline_drawn_ms: round(median(settled)),
        timeline_drawn_spread_ms: quartiles(settled),
        runs: result.runs,
        spread: result.spread,
      },
      {
        measure: 'bytes for a key press',
        parcels,
        bytes: median(bytes),
        runs: bytes.length,
        spread: quartiles(bytes, 0),
      },
      await idle(board, parcels),
    ];
  } finally {
    await Promise.all([board.end(), bare.end()]);
  }
}

interface Move {
  readonly frameMs: number;
  readonly settledMs: number;
  readonly bytes: number;
}

/** Goes down some rows, then up again, so that the shortest list has room for it. */
const turnAfter = 15;

async function pressAndWait(program: TerminalProgram, counter: number): Promise<Move> {
  const { position } = program;
  const pressedAt = performance.now();
  program.press(Math.floor(counter / turnAfter) % 2 === 0 ? 'j' : 'k');
  const frameAt = await program.waitFor(endOfFrame, position);
  await program.waitUntilQuiet(quietMs);
  return {
    frameMs: frameAt - pressedAt,
    settledMs: program.lastOutputAt - pressedAt,
    bytes: program.bytesSince(position),
  };
}

/** What a board writes that is left alone. */
async function idle(board: TerminalProgram, parcels: number): Promise<Measure> {
  const seconds = 10;
  // The last key press may have more to draw than it had when its frame was measured.
  await board.waitUntilQuiet(1000);
  const before = await board.screen();
  const { position } = board;
  await delay(seconds * 1000);
  const bytes = board.bytesSince(position);
  const screenChanged = (await board.screen()) !== before;
  return {
    measure: 'bytes when idle',
    parcels,
    bytes_per_minute: (bytes * 60) / seconds,
    aim: 0,
    bytes,
    seconds,
    screen_changed: screenChanged,
  };
}
