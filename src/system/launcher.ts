import type { EpochMs } from '../lib/clock.ts';
import { onlyPrints, pathMark, userFolder } from './environment.ts';
import { fitOf, keptScreenFile, longestKeptScreen, mayOpenBoard, readKeptScreen } from './saved-frame.ts';
import type { FilesAtStart, StartingProcess, Terminal } from './terminal.ts';

export interface ShowingSource {
  readonly living: StartingProcess;
  readonly files: FilesAtStart;
  readonly now: EpochMs;
  readonly version: string;
  readonly isTerminal: (descriptor: number) => boolean;
}

/** Never throws: a start without it only takes longer. */
export function showKeptScreen(terminal: Terminal, source: ShowingSource): void {
  try {
    const rows = keptRows(source);
    if (rows !== null) terminal.showFrame(rows);
  } catch {
    // As above.
  }
}

function keptRows({ living, files, now, version, isTerminal }: ShowingSource): readonly string[] | null {
  const { argv, env: environment, platform } = living;
  const given = argv.slice(2);
  // A console of Windows takes bytes for letters of its code page.
  if (platform === 'win32' || onlyPrints(environment) || !mayOpenBoard(given)) return null;
  // The home folder of the system's list is not asked for: that takes longer than is won.
  const folder = userFolder('state', { environment, homeDirectory: environment['HOME'] ?? null, platform });
  const text = folder === null ? null : ownText(files, `${folder}/${keptScreenFile}`, living.geteuid?.() ?? null);
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

/** Oldest Node that the program runs on; the same as `engines` in package.json. */
export const oldestNode = '22.19';

/** Null when the version will do. `version` is `process.versions.node`. */
export function complaintAboutNode(version: string): string | null {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode.split('.').map(Number);
  const isNewEnough =
    Number(major) > Number(oldestMajor) ||
    (Number(major) === Number(oldestMajor) && Number(minor) >= Number(oldestMinor));
  if (isNewEnough) return null;
  return `parcel-monitor: Node ${oldestNode} or newer is needed and this is Node ${version}; install a newer Node, or run "npm ci && npm start" in a clone of the project, which brings its own Node.`;
}

export function pauseProcess(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
