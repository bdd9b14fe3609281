/**
 * The launcher: refuses a Node that is too old before anything that such a Node cannot parse is loaded, shows the frame
 * with which the board was left, notes what the user's environment was, and starts the program. Its bundle stays free of
 * static imports and modern syntax.
 */
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { compiledCodeFolder } from './process/compiled-code.ts';
import { codeName, readCode, writeCode } from './process/kept-code.ts';
import { complaintAboutNode } from './process/node-version.ts';
import { pauseProcess } from './process/pause-process.ts';
import { ProgramParts } from './process/program-parts.ts';
import type { ScreenAhead } from './process/screen-ahead.ts';
import { showKeptScreen } from './process/show-kept-screen.ts';

// Node would let anybody who may send it open a debugger, and write that on the board.
if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);

/** By then a board stands, or a command is done; in milliseconds. */
const startIsOverMs = 4000;

const complaint = complaintAboutNode(process.versions.node);
if (complaint !== null) {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 1;
} else if (!saysVersion()) {
  const shown = lastFrame();
  const environment = { ...process.env };
  // date-fns-tz goes through local dates and would show a wrong hour in the gap of the host's summer time.
  process.env['TZ'] = 'UTC';
  let hasFailed = false;
  const fail = (sentence: string): void => {
    if (hasFailed) return;
    hasFailed = true;
    if (shown !== null) shown.giveBack();
    process.stderr.write(`parcel-monitor: ${sentence}\n`);
    process.exitCode = 1;
  };
  // Until a command has said how it ended, nothing is done: a program that comes to a stop by itself is no success.
  process.exitCode = 1;
  process.once('beforeExit', () =>
    fail('It stopped before it was done. This is a bug in parcel-monitor; please report it.'),
  );
  loadProgram()
    .then(
      ({ main }) => main(environment, shown),
      (error: unknown) => fail(`The program cannot be loaded; install it again. ${String(error)}`),
    )
    .catch((error: unknown) => fail(`The program cannot be started. ${String(error)}`));
}

/** The board as it was left, on the terminal before anything is loaded; null where nothing is shown. */
function lastFrame(): ScreenAhead | null {
  return showKeptScreen({
    living: process,
    files: process.getBuiltinModule('node:fs'),
    now: Date.now(),
    version: packageJson.version,
    isTerminal: (descriptor) => process.getBuiltinModule('node:tty').isatty(descriptor),
    setTimer: (milliseconds, callback) => {
      const timer = setTimeout(callback, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    },
    pause: pauseProcess,
  });
}

/** Loads the program, with the code that an earlier start has compiled, and keeps what is compiled anew. */
async function loadProgram(): Promise<typeof import('./main.ts')> {
  const [fs, vm] = [process.getBuiltinModule('node:fs'), process.getBuiltinModule('node:vm')];
  const { dirname, url } = import.meta;
  const folder = folderOfCode();
  const name = codeName(process.argv.slice(2));
  const parts = new ProgramParts({
    compile: (part, kept) => {
      const path = join(dirname, part);
      const script = new vm.Script(fs.readFileSync(path, 'utf8'), {
        filename: path,
        ...(kept === null ? {} : { cachedData: kept }),
      });
      return {
        isFromKept: kept !== null && script.cachedDataRejected === false,
        run: () => script.runInThisContext() as unknown,
        code: () => script.createCachedData(),
      };
    },
    urlOf: (part) => new URL(part, url).href,
    kept: folder === null ? new Map() : readCode(fs, join(folder, name)),
  });
  let isKept = folder === null;
  const keep = (): void => {
    if (isKept || folder === null) return;
    isKept = true;
    try {
      const code = parts.newCode();
      if (code !== null) writeCode(fs, { folder, name, processId: process.pid }, code);
    } catch {
      // The next start takes longer.
    }
  };
  process.on('exit', keep);
  // What runs for long forgets how it has begun.
  if (folder !== null) setTimeout(keep, startIsOverMs).unref();
  return (await parts.later('main.js')) as unknown as typeof import('./main.ts');
}

/** Null where none is to be kept. A start without it only takes longer, so nothing is said when it cannot be. */
function folderOfCode(): string | null {
  const fs = process.getBuiltinModule('node:fs');
  try {
    const folder = compiledCodeFolder({
      environment: process.env,
      // The home folder of the system's list is not asked for: that takes longer than is won.
      homeDirectory: process.env['HOME'] ?? process.env['USERPROFILE'] ?? null,
      platform: process.platform,
      userId: process.geteuid?.() ?? null,
      isDemo: process.argv.includes('--demo'),
      look: (path) => fs.lstatSync(path, { throwIfNoEntry: false }) ?? null,
      makeFolder: (path) => fs.mkdirSync(path, { recursive: true, mode: 0o700 }),
    });
    return folder === null ? null : join(folder, `build-of-the-program-${process.version}-${process.arch}`);
  } catch {
    // As above.
    return null;
  }
}

/** Answers which version this is, for which nothing has to be loaded; false where that is not asked, or cannot be written. */
function saysVersion(): boolean {
  if (process.argv.length !== 3 || process.argv[2] !== '--version') return false;
  try {
    process.getBuiltinModule('node:fs').writeSync(1, `${packageJson.version}\n`);
    return true;
  } catch {
    // The program says what is wrong with standard output.
    return false;
  }
}
