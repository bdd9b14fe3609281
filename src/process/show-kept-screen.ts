import { join } from 'node:path';
import type { EpochMs } from '../service/clock/clock.ts';
import { type FilesAtStart, holdTerminal, type TerminalReader, type TerminalSource } from './hold-terminal.ts';
import {
  erasingSequence,
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

/** Where a frame is shown, and when. */
export interface ShowingSource extends TerminalSource {
  readonly now: EpochMs;
  /** Of the program. */
  readonly version: string;
  readonly isTerminal: (descriptor: number) => boolean;
}

/**
 * How long keys are left to wait in the system, which hands them to the shell where the program fails, in milliseconds. Then
 * they are looked through for a Ctrl-C, which the terminal makes no signal of any more.
 */
const patienceMs = 1000;

/** The last frame of a board, which stands on the alternate screen of a terminal that takes keys without showing them. */
export interface ShownScreen {
  /** False once it was handed on or the terminal was given back. */
  readonly isStanding: boolean;
  /**
   * Puts other rows in the place of those that stand; does nothing when it is not standing.
   * @param isAnew draws all of them, as it does where the window has changed
   */
  draw(rows: readonly string[], isAnew?: boolean): void;
  /** Lets somebody read what is typed, as long as it stands. */
  read(reader: TerminalReader): void;
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
export function showRows(source: TerminalSource, rows: readonly string[]): ShownScreen {
  const { stdout } = source.living;
  let { columns, rows: height } = stdout;
  let standing = rows;
  const isResized = (): boolean => stdout.columns !== columns || stdout.rows !== height;
  const terminal = holdTerminal(source, { shows: showingSequence(rows), leaves: leavingSequence, patienceMs });
  return {
    get isStanding() {
      return terminal.isHeld;
    },
    draw(others, isAnew = false) {
      const sequence =
        isAnew || isResized() ? `${erasingSequence}${showingSequence(others)}` : redrawingSequence(standing, others);
      ({ columns, rows: height } = stdout);
      if (terminal.write(sequence)) standing = others;
    },
    read: (reader) => terminal.read(reader),
    takeOver() {
      if (!terminal.isHeld) return null;
      if (isResized()) {
        terminal.giveBack();
        return null;
      }
      terminal.release();
      return standing;
    },
    giveBack: () => terminal.giveBack(),
  };
}
