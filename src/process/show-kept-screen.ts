import { join } from 'node:path';
import type { EpochMs } from '../service/clock/clock.ts';
import {
  fitOf,
  keptScreenFile,
  leavingSequence,
  longestKeptScreen,
  mayOpenBoard,
  readKeptScreen,
  redrawingSequence,
  showingSequence,
} from './kept-screen.ts';
import { pathMark } from './path-mark.ts';
import { userFolder } from './user-folders.ts';

/** The parts of `process` that are needed to show something before the program is loaded. */
export type StartingProcess = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'platform' | 'pid' | 'kill' | 'on' | 'off' | 'listenerCount' | 'stdin' | 'stdout' | 'geteuid'
>;

/** The parts of Node's module for files that are needed. */
export type FilesAtStart = Pick<
  typeof import('node:fs'),
  'openSync' | 'closeSync' | 'fstatSync' | 'statSync' | 'readFileSync' | 'writeSync' | 'constants'
>;

/** Where a frame is shown, and when. */
export interface ShowingSource {
  readonly living: StartingProcess;
  readonly files: FilesAtStart;
  readonly now: EpochMs;
  /** Of the program. */
  readonly version: string;
  readonly isTerminal: (descriptor: number) => boolean;
  /** Calls back later, unless the process has ended by then; answers how to call it off. */
  readonly setTimer: (milliseconds: number, callback: () => void) => () => void;
}

/**
 * How long keys are left to wait in the system, which hands them to the shell where the program fails, in milliseconds. Then
 * they are looked through for a Ctrl-C, which the terminal makes no signal of any more.
 */
const patienceMs = 1000;
const interrupt = 3;

/** The last frame of a board, which stands on the alternate screen of a terminal that takes keys without showing them. */
export interface ShownScreen {
  /** False once it was handed on or the terminal was given back. */
  readonly isStanding: boolean;
  /** Puts other rows in the place of those that stand; does nothing when it is not standing. */
  draw(rows: readonly string[]): void;
  /** Hands it on to the board, which has the terminal from now on: the rows that stand; null when none do. */
  takeOver(): readonly string[] | null;
  /** Gives the terminal back, for whatever else wants to use it; does nothing when it is not standing. */
  giveBack(): void;
}

/**
 * Shows the frame with which the board was left, where it still fits; null when nothing was shown, for whatever reason: a
 * start without it only takes longer.
 */
export function showKeptScreen(source: ShowingSource): ShownScreen | null {
  try {
    const rows = keptRows(source);
    return rows === null ? null : showRows(source, rows);
  } catch {
    // As above.
    return null;
  }
}

function keptRows({ living, files, now, version, isTerminal }: ShowingSource): readonly string[] | null {
  const { argv, env: environment, platform } = living;
  const given = argv.slice(2);
  // A console of Windows takes bytes for letters of its code page.
  if (platform === 'win32' || environment['TERM'] === 'dumb' || !mayOpenBoard(given)) return null;
  // The home folder of the system's list is not asked for: that takes longer than is won.
  const folder = userFolder('state', { environment, homeDirectory: environment['HOME'] ?? null, platform });
  const text = folder === null ? null : ownText(files, join(folder, keptScreenFile), living.geteuid?.() ?? null);
  // To ask whether something is a terminal loads what knows streams.
  const mayBeTerminal = (descriptor: number): boolean => files.fstatSync(descriptor).isCharacterDevice();
  if (text === null || ![0, 1].every((descriptor) => mayBeTerminal(descriptor) && isTerminal(descriptor))) return null;
  const { columns, rows } = living.stdout;
  const start = { arguments: given, environment, version, columns, rows };
  return readKeptScreen(text, {
    fit: fitOf(start),
    mostRows: rows,
    now,
    markOf: (path) => pathMark(files.statSync(path, { throwIfNoEntry: false })),
  });
}

/** The content of a file that nobody but the user may write; null when there is none. Throws what the system throws. */
function ownText(files: FilesAtStart, path: string, userId: number | null): string | null {
  if (files.statSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = files.constants;
  const file = files.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const facts = files.fstatSync(file);
    const isOwn = userId === null || (facts.uid === userId && (facts.mode & 0o022) === 0);
    return facts.isFile() && isOwn && facts.size <= longestKeptScreen ? files.readFileSync(file, 'utf8') : null;
  } finally {
    files.closeSync(file);
  }
}

/** Shows rows on the alternate screen until the board takes over. Throws what the terminal throws, which has been given back then. */
export function showRows(
  { living, files, setTimer }: Pick<ShowingSource, 'living' | 'files' | 'setTimer'>,
  rows: readonly string[],
): ShownScreen {
  let standing = rows;
  const { columns, rows: height } = living.stdout;
  let isStanding = true;
  let stopReading = (): void => {};
  const release = (): void => {
    isStanding = false;
    stopReading();
    for (const [name, listener] of listeners) living.off(name, listener);
  };
  const giveBack = (): void => {
    if (!isStanding) return;
    release();
    // A terminal that is gone wants nothing back; one that takes no text now may still show what is typed.
    tried(() => writeAll(files, leavingSequence));
    tried(() => living.stdin.setRawMode(false));
  };
  /** Before the program listens for a signal, it is as if nobody did. */
  const endedBy =
    (signal: NodeJS.Signals, action: NodeJS.Signals = signal) =>
    (): void => {
      if (living.listenerCount(signal) > 1) return;
      giveBack();
      living.kill(living.pid, action);
    };
  const listeners: readonly (readonly [string, () => void])[] = [
    ['exit', giveBack],
    ['uncaughtExceptionMonitor', giveBack],
    ['SIGINT', endedBy('SIGINT')],
    ['SIGTERM', endedBy('SIGTERM')],
    ['SIGHUP', endedBy('SIGHUP')],
    ['SIGTSTP', endedBy('SIGTSTP', 'SIGSTOP')],
  ];
  try {
    // Before anything is changed: who is ended in between gives nothing back.
    for (const [name, listener] of listeners) living.on(name, listener);
    // Before the frame stands: a key in between would be written into it, and at its end it scrolls the header away.
    living.stdin.setRawMode(true);
    writeAll(files, showingSequence(rows));
    stopReading = setTimer(patienceMs, () => {
      stopReading = readUntilInterrupt(living.stdin, () => {
        giveBack();
        living.kill(living.pid, 'SIGINT');
      });
    });
  } catch (error) {
    giveBack();
    throw error;
  }
  return {
    get isStanding() {
      return isStanding;
    },
    draw(others) {
      if (!isStanding) return;
      try {
        writeAll(files, redrawingSequence(standing, others));
        standing = others;
      } catch {
        giveBack();
      }
    },
    takeOver() {
      if (!isStanding) return null;
      if (living.stdout.columns !== columns || living.stdout.rows !== height) {
        giveBack();
        return null;
      }
      release();
      return standing;
    },
    giveBack,
  };
}

/** Reads what is typed, and puts it back when it is to stop. */
function readUntilInterrupt(stdin: NodeJS.ReadStream, onInterrupt: () => void): () => void {
  const typed: Buffer[] = [];
  const onData = (bytes: Buffer): void => {
    typed.push(bytes);
    if (bytes.includes(interrupt)) onInterrupt();
  };
  stdin.on('data', onData);
  return () => {
    stdin.off('data', onData);
    stdin.pause();
    if (typed.length > 0) stdin.unshift(Buffer.concat(typed));
  };
}

/** Does something, or else nothing. */
function tried(work: () => void): void {
  try {
    work();
  } catch {
    // What comes next is to be done all the same.
  }
}

/** How long a terminal that does not make its writer wait may take for a frame, in milliseconds; it takes a few kilobytes at once. */
const writingPatienceMs = 200;

/** Writes all of it. Throws what the terminal throws, also when it takes nothing for too long. */
function writeAll(files: FilesAtStart, text: string): void {
  let waits = 0;
  for (let rest = Buffer.from(text, 'utf8'); rest.length > 0; ) {
    try {
      rest = rest.subarray(files.writeSync(1, rest));
    } catch (error) {
      waits += 1;
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waits > writingPatienceMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
