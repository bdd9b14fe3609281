import packageJson from '../package.json' with { type: 'json' };
import { blockProcess, findSystemZone } from './system/clock.ts';
import { nodeVersionProblem } from './system/environment.ts';
import { showSavedScreen } from './system/saved-screen.ts';
import { Terminal } from './system/terminal.ts';

/**
 * The launcher. Refuses a Node version that is too old, shows the saved screen of the board, records the user's
 * environment, and starts the program. Its bundle has no static imports or modern syntax, so that an old Node can parse
 * it.
 */

// On this signal, Node would by default open a debugger and write to the terminal.
if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);

const nodeProblem = nodeVersionProblem(process.versions.node);
if (nodeProblem !== null) {
  process.stderr.write(`${nodeProblem}\n`);
  process.exitCode = 1;
} else if (!printVersion()) {
  const terminal = openTerminal();
  const environment = { ...process.env };
  const systemZone = findSystemZone({
    tz: environment['TZ'],
    readLink: (path) => process.getBuiltinModule('node:fs').readlinkSync(path),
    formattedZone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  // date-fns-tz computes with local dates, which skip an hour when daylight saving time begins on this machine.
  process.env['TZ'] = 'UTC';
  let hasFailed = false;
  const fail = (sentence: string): void => {
    if (hasFailed) return;
    hasFailed = true;
    terminal.restore();
    process.stderr.write(`parcel-monitor: ${sentence}\n`);
    process.exitCode = 1;
  };
  // Until a command sets its own exit code, so that stopping early counts as a failure.
  process.exitCode = 1;
  process.once('beforeExit', () =>
    fail('The program stopped before it was finished. This is a bug; please report it.'),
  );
  // biome-ignore lint/correctness/useImportExtensions: the built program, next to the built launcher
  import('./main.js')
    .then(
      ({ main }) => main({ environment, systemZone }, terminal),
      (error: unknown) => fail(`The program could not be loaded. Reinstall it. ${String(error)}`),
    )
    .catch((error: unknown) => fail(`The program could not be started. ${String(error)}`));
}

/** Creates the terminal and, if the command opens the board, shows the saved screen. */
function openTerminal(): Terminal {
  const files = process.getBuiltinModule('node:fs');
  const terminal = new Terminal({
    currentProcess: process,
    files,
    setTimer: (milliseconds, callback) => {
      const timer = setTimeout(callback, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    },
    pause: blockProcess,
  });
  showSavedScreen(terminal, {
    currentProcess: process,
    files,
    now: Date.now(),
    version: packageJson.version,
    isTerminal: (descriptor) => process.getBuiltinModule('node:tty').isatty(descriptor),
  });
  return terminal;
}

/** Prints the version if requested, without loading the program. Returns whether it was printed. */
function printVersion(): boolean {
  if (process.argv.length !== 3 || process.argv[2] !== '--version') return false;
  try {
    process.getBuiltinModule('node:fs').writeSync(1, `${packageJson.version}\n`);
    return true;
  } catch {
    // The program reports problems with standard output.
    return false;
  }
}
