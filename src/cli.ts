import packageJson from '../package.json' with { type: 'json' };
import { nameOfSystemZone } from './system/clock.ts';
import { complaintAboutNode, pauseProcess, showKeptScreen } from './system/launcher.ts';
import { Terminal } from './system/terminal.ts';

/**
 * The launcher: refuses a Node that is too old before anything that such a Node cannot parse is loaded, shows the frame
 * with which the board was left, notes what the user's environment was, and starts the program. Its bundle stays free of
 * static imports and modern syntax.
 */

// Node would let anybody who may send it open a debugger, and write that on the board.
if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);

const complaint = complaintAboutNode(process.versions.node);
if (complaint !== null) {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 1;
} else if (!saysVersion()) {
  const terminal = openedTerminal();
  const environment = { ...process.env };
  const systemZone = nameOfSystemZone({
    tz: environment['TZ'],
    readLink: (path) => process.getBuiltinModule('node:fs').readlinkSync(path),
    formattedZone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  // date-fns-tz goes through local dates and would show a wrong hour in the gap of the host's summer time.
  process.env['TZ'] = 'UTC';
  let hasFailed = false;
  const fail = (sentence: string): void => {
    if (hasFailed) return;
    hasFailed = true;
    terminal.giveBack();
    process.stderr.write(`parcel-monitor: ${sentence}\n`);
    process.exitCode = 1;
  };
  // Until a command has said how it ended, nothing is done: a program that comes to a stop by itself is no success.
  process.exitCode = 1;
  process.once('beforeExit', () =>
    fail('It stopped before it was done. This is a bug in parcel-monitor; please report it.'),
  );
  // biome-ignore lint/correctness/useImportExtensions: the built program, which lies beside the built launcher
  import('./main.js')
    .then(
      ({ main }) => main({ environment, systemZone }, terminal),
      (error: unknown) => fail(`The program cannot be loaded; install it again. ${String(error)}`),
    )
    .catch((error: unknown) => fail(`The program cannot be started. ${String(error)}`));
}

/** The terminal, with the board as it was left where that is to be opened: before anything is loaded. */
function openedTerminal(): Terminal {
  const files = process.getBuiltinModule('node:fs');
  const terminal = new Terminal({
    living: process,
    files,
    setTimer: (milliseconds, callback) => {
      const timer = setTimeout(callback, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    },
    pause: pauseProcess,
  });
  showKeptScreen(terminal, {
    living: process,
    files,
    now: Date.now(),
    version: packageJson.version,
    isTerminal: (descriptor) => process.getBuiltinModule('node:tty').isatty(descriptor),
  });
  return terminal;
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
