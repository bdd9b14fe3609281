import type { EpochMs } from '../lib/clock.ts';
import { onlyPrints, pathMark, userFolder } from './environment.ts';
import { maxScreenBytes, mayOpenBoard, readSavedScreen, savedScreenFile, startFingerprint } from './saved-screen.ts';
import type { FilesAtStart, StartingProcess, Terminal } from './terminal.ts';

export interface ShowingSource {
  readonly currentProcess: StartingProcess;
  readonly files: FilesAtStart;
  readonly now: EpochMs;
  readonly version: string;
  readonly isTerminal: (descriptor: number) => boolean;
}

/** Shows the saved screen. Never throws, because the program can start without it. */
export function showSavedScreen(terminal: Terminal, source: ShowingSource): void {
  try {
    const rows = savedRows(source);
    if (rows !== null) terminal.showFrame(rows);
  } catch {
    // The program starts without the saved screen.
  }
}

function savedRows({ currentProcess, files, now, version, isTerminal }: ShowingSource): readonly string[] | null {
  const { argv, env: environment, platform } = currentProcess;
  const given = argv.slice(2);
  // A Windows console would decode the bytes with its own code page.
  if (platform === 'win32' || onlyPrints(environment) || !mayOpenBoard(given)) return null;
  const folder = userFolder('state', { environment, homeDirectory: environment['HOME'] ?? null, platform });
  const text =
    folder === null ? null : readOwnFile(files, `${folder}/${savedScreenFile}`, currentProcess.geteuid?.() ?? null);
  if (text === null || !isTerminal(0) || !isTerminal(1)) return null;
  const { columns, rows } = currentProcess.stdout;
  const start = { arguments: given, environment, version, columns, rows };
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
    const facts = files.fstatSync(file);
    const isOwn = userId === null || (facts.uid === userId && (facts.mode & 0o022) === 0);
    return facts.isFile() && isOwn && facts.size <= maxScreenBytes ? files.readFileSync(file, 'utf8') : null;
  } finally {
    files.closeSync(file);
  }
}

/** Must equal `engines` in package.json. */
export const oldestNode = '22.19';

/** Returns an error message, or null if the version is new enough. @param version `process.versions.node` */
export function nodeVersionProblem(version: string): string | null {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode.split('.').map(Number);
  const isNewEnough =
    Number(major) > Number(oldestMajor) ||
    (Number(major) === Number(oldestMajor) && Number(minor) >= Number(oldestMinor));
  if (isNewEnough) return null;
  return `parcel-monitor: this is Node ${version}, but Node ${oldestNode} or newer is required. Install a newer Node, or run "npm ci && npm start" in a clone of the project, which includes its own Node.`;
}

export function pauseProcess(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
