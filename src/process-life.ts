import { describeFailure } from './commands/failure.ts';

/** The parts of `process` that decide how the program ends. */
export type LivingProcess = Pick<NodeJS.Process, 'on' | 'removeAllListeners' | 'exit' | 'stdout' | 'stderr'>;

/** What befalls the process while a command runs. */
export interface ProcessLife {
  /** Aborted by a signal, by an error that nobody caught, and when nobody reads the output any more. */
  readonly signal: AbortSignal;
  /** Keeps Node's warnings back while the screen belongs to the board. */
  holdWarnings(): void;
  /** Ends the process once everything is written: with the code of the signal or the error, else with this one. */
  end(exitCode: number): Promise<void>;
}

/** Exit codes of signals: 128 and the signal's number. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** How long a command may take to end after it was told to, in milliseconds. */
const graceMs = 3000;

/** Watches over the process from now on. */
export function watchProcess(living: LivingProcess): ProcessLife {
  const stop = new AbortController();
  let forcedCode: number | null = null;
  let accident: { readonly error: unknown } | null = null;
  let heldWarnings: Error[] | null = null;

  const say = (text: string): void => {
    living.stderr.write(`parcel-monitor: ${text}\n`);
  };
  const tellWarning = ({ name, message }: Error): void => say(`${name}: ${message}`);
  const stopWith = (code: number): void => {
    // Told twice, or the command does not end: whoever waits at the keyboard is right.
    if (forcedCode !== null) living.exit(forcedCode);
    forcedCode = code;
    stop.abort();
    setTimeout(() => living.exit(code), graceMs).unref();
  };
  const onAccident = (error: unknown): void => {
    accident ??= { error };
    stopWith(1);
  };

  for (const [name, code] of Object.entries(signalCodes)) living.on(name, () => stopWith(code));
  living.on('uncaughtException', onAccident);
  living.on('unhandledRejection', onAccident);
  // Node itself would write to the screen.
  living.removeAllListeners('warning');
  living.on('warning', (warning) => {
    if (heldWarnings === null) tellWarning(warning);
    else heldWarnings.push(warning);
  });
  const onOutputError = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE' || error.code === 'EIO') stop.abort();
    else onAccident(error);
  };
  living.stdout.on('error', onOutputError);
  living.stderr.on('error', onOutputError);

  return {
    signal: stop.signal,
    holdWarnings: () => {
      heldWarnings ??= [];
    },
    async end(exitCode) {
      for (const warning of heldWarnings ?? []) tellWarning(warning);
      if (accident !== null) say(describeFailure(accident.error).message);
      await Promise.all([flushed(living.stdout), flushed(living.stderr)]);
      living.exit(forcedCode ?? exitCode);
    },
  };
}

/** Resolves when everything is written, or cannot be. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else stream.write('', () => resolve());
  });
}
