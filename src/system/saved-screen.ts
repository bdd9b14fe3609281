import type { EpochMs } from '../lib/clock.ts';
import { type Environment, isDumbTerminal, pathMark, userFolder } from './environment.ts';

export const savedScreenFile = 'last-screen';

/** Maximum size of the file, in bytes. */
export const maxScreenBytes = 1024 * 1024;

/** Maximum age of a saved frame, in milliseconds. */
const maxAgeMs = 7 * 24 * 3_600_000;

/** Increase the number when the format changes. */
const header = 'parcel-monitor screen 2';

export interface BoardStart {
  readonly arguments: readonly string[];
  readonly environment: Environment;
  readonly version: string;
  readonly columns: number;
  readonly rows: number;
}

interface SeenPath {
  readonly path: string;
  readonly mark: string;
}

export interface Frame {
  readonly rows: readonly string[];
  readonly laterHeader: string;
  readonly keptAt: EpochMs;
  readonly dayEndsAt: EpochMs;
}

export interface LastScreen {
  readonly frame: Frame;
  readonly columns: number;
  readonly rows: number;
}

export interface SavedScreen extends Frame {
  /**
   * The configuration, the watchlist folder, the system zone and the key file, if any. If one has changed, the board
   * may look different.
   */
  readonly seen: readonly SeenPath[];
}

export function mayOpenBoard(programArguments: readonly string[]): boolean {
  const [first = '--'] = programArguments;
  return first.startsWith('-') && !programArguments.some((argument) => nonBoardOptions.has(argument));
}

/** Options that do not open the user's own board. */
const nonBoardOptions: ReadonlySet<string> = new Set(['--demo', '--help', '-h', '--version', '-V']);

/**
 * Variables that change what the board shows. With a database, the user and the API key decide whose parcels it shows.
 */
const comparedVariables =
  /^(?:PARCEL_MONITOR_.+|PGUSER|USER|LOGNAME|USERNAME|XDG_(?:CONFIG|DATA|STATE|CACHE)_HOME|HOME|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|FORCE_HYPERLINK|TERM|COLORTERM|TERM_PROGRAM|TERM_PROGRAM_VERSION|VTE_VERSION|KONSOLE_VERSION|LANG|LC_.+|TZ)$/;
/** For these, only whether they are set matters, because their values differ from window to window. */
const presenceVariables = /^(?:TMUX|STY|WT_SESSION|KITTY_WINDOW_ID|ALACRITTY_WINDOW_ID|DOMTERM)$/;

export function startFingerprint(start: BoardStart): string {
  const { environment, version, columns, rows } = start;
  const variables = Object.keys(environment)
    .filter((name) => comparedVariables.test(name) || presenceVariables.test(name))
    .sort()
    .map((name) => {
      const value = environment[name] ?? '';
      return [name, presenceVariables.test(name) ? value !== '' : value.replace(/:[^?]*@/, '@')];
    });
  return hash(JSON.stringify([version, columns, rows, start.arguments, variables]));
}

/** Not imported, because an old Node that does not know such imports must still be able to parse the launcher. */
const hash = (text: string): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('base64');

export function savedScreenText(screen: SavedScreen, fit: string): string {
  const body = JSON.stringify({ ...screen, fit });
  return `${header} ${hash(body)}\n${body}\n`;
}

interface SavedScreenCheck {
  readonly fit: string;
  readonly maxRows: number;
  readonly now: EpochMs;
  readonly markOf: (path: string) => string;
}

/**
 * Returns the saved rows if they fit this start and are less than a week old, or null. Throws a `SyntaxError` if the
 * file is damaged.
 */
export function readSavedScreen(text: string, check: SavedScreenCheck): readonly string[] | null {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1, -1);
  if (text.slice(0, end) !== `${header} ${hash(body)}`) return null;
  const saved: Partial<SavedScreen & { fit: string }> | null = JSON.parse(body);
  if (saved === null || saved.fit !== check.fit) return null;
  const { dayEndsAt, keptAt, laterHeader, rows, seen } = saved;
  if (typeof keptAt !== 'number' || typeof dayEndsAt !== 'number' || !Array.isArray(rows) || !Array.isArray(seen)) {
    return null;
  }
  const age = check.now - keptAt;
  if (!(age >= 0 && age <= maxAgeMs)) return null;
  if (!seen.every(({ path, mark }: SeenPath) => typeof path === 'string' && check.markOf(path) === mark)) return null;
  const visibleRows = check.now < dayEndsAt ? rows : [laterHeader, ...rows.slice(1)];
  return visibleRows.length > 0 && visibleRows.length <= check.maxRows && visibleRows.every(isSafe)
    ? visibleRows
    : null;
}

const safeSequences = /\u001b\[[\d;:]*m|\u001b\]8;[\w=:-]*;(?:https?:\/\/[!-~]+)?(?:\u0007|\u001b\\)/g;
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const isSafe = (row: unknown): boolean =>
  typeof row === 'string' && !controlCharacters.test(row.replace(safeSequences, ''));

const frameStart = '\u001b[?2026h\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[H';
const frameEnd = '\u001b[0m\u001b[?7h\u001b[?2026l';

export function frameSequence(rows: readonly string[]): string {
  return `${frameStart}${rows.join('\u001b[0m\r\n')}${frameEnd}`;
}

export type StartingProcess = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'platform' | 'pid' | 'kill' | 'on' | 'off' | 'listenerCount' | 'stdin' | 'stdout' | 'geteuid'
>;

export type FilesAtStart = Pick<
  typeof import('node:fs'),
  'openSync' | 'closeSync' | 'fstatSync' | 'statSync' | 'readFileSync' | 'writeSync' | 'constants'
>;

export interface SavedScreenSource {
  readonly currentProcess: StartingProcess;
  readonly files: FilesAtStart;
  readonly now: EpochMs;
  readonly version: string;
  readonly isTerminal: (descriptor: number) => boolean;
}

/** Shows the saved screen. Never throws, because the program can start without it. */
export function showSavedScreen(
  terminal: { showFrame(rows: readonly string[]): void },
  source: SavedScreenSource,
): void {
  try {
    const rows = savedRows(source);
    if (rows !== null) terminal.showFrame(rows);
  } catch {
    // The program starts without the saved screen.
  }
}

function savedRows({ currentProcess, files, now, version, isTerminal }: SavedScreenSource): readonly string[] | null {
  const { argv, env: environment, platform } = currentProcess;
  const programArguments = argv.slice(2);
  // A Windows console would decode the bytes with its own code page.
  if (platform === 'win32' || isDumbTerminal(environment) || !mayOpenBoard(programArguments)) return null;
  const folder = userFolder('state', { environment, homeDirectory: environment['HOME'] ?? null, platform });
  const text =
    folder === null ? null : readOwnFile(files, `${folder}/${savedScreenFile}`, currentProcess.geteuid?.() ?? null);
  if (text === null || !isTerminal(0) || !isTerminal(1)) return null;
  const { columns, rows } = currentProcess.stdout;
  const start = { arguments: programArguments, environment, version, columns, rows };
  return readSavedScreen(text, {
    fit: startFingerprint(start),
    maxRows: rows,
    now,
    markOf: (path) => pathMark(files.statSync(path, { throwIfNoEntry: false })),
  });
}

function readOwnFile(files: FilesAtStart, path: string, userId: number | null): string | null {
  if (files.statSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = files.constants;
  const file = files.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = files.fstatSync(file);
    const isOwn = userId === null || (stats.uid === userId && (stats.mode & 0o022) === 0);
    return stats.isFile() && isOwn && stats.size <= maxScreenBytes ? files.readFileSync(file, 'utf8') : null;
  } finally {
    files.closeSync(file);
  }
}
