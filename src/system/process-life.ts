import { setTimeout as delay } from 'node:timers/promises';
import { exitCode as codes, type ExitProcess, isThreadBusy } from './exit.ts';
import { isReaderGone, outputError, type StandardStream } from './standard-streams.ts';

export type CurrentProcess = Pick<NodeJS.Process, 'on' | 'removeAllListeners' | 'getActiveResourcesInfo'>;

interface StandardStreams {
  readonly stdout: StandardStream;
  readonly stderr: StandardStream;
  /** Called before a message is written. */
  readonly beforeWriting?: () => void;
}

/** Called before the process is forced to end. Must not wait. Returns a message for the user, or null. */
type ExitHook = () => string | null;

const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** How long a command may take to end after a signal, in milliseconds. Shorter after Ctrl+C, because the user waits. */
const graceMs = 2000;
const interruptGraceMs = 800;

/** How long a terminal that showed the board may take to accept the last messages, in milliseconds. */
const terminalTimeoutMs = 400;

const threadPollMs = 10;
const threadTimeoutMs = 1000;

type DescribeError = (error: unknown) => string;

export type ProcessLife = ReturnType<typeof watchProcess>;

export function watchProcess(
  currentProcess: CurrentProcess,
  { stderr, stdout, beforeWriting }: StandardStreams,
  leave: ExitProcess,
  describe: DescribeError,
) {
  const stop = new AbortController();
  const exitHooks: ExitHook[] = [];
  let forcedCode: number | null = null;
  let uncaught: { readonly error: unknown } | null = null;
  let heldWarnings: Error[] | null = null;
  let hasLostMessages = false;

  const say = (text: string): void => {
    beforeWriting?.();
    stderr.write(`parcel-monitor: ${text}\n`);
  };
  const printWarning = ({ name, message }: Error): void => {
    // Node ignores NO_COLOR in this case, but we do not.
    if (!message.startsWith("The 'NO_COLOR' env is ignored")) say(`${name}: ${message}`);
  };
  let isUncaughtReported = false;
  const reportUncaught = (): void => {
    if (uncaught === null || isUncaughtReported) return;
    isUncaughtReported = true;
    say(describe(uncaught.error));
  };
  const forceEnd = (code: number): void => {
    const words = exitHooks
      .splice(0)
      .reverse()
      .map((hook) => exitMessage(hook, describe));
    for (const text of words) if (text !== null) say(text);
    reportUncaught();
    leave(code);
  };
  const stopWith = (code: number): void => {
    // A second signal ends the process immediately.
    if (forcedCode !== null) {
      forceEnd(forcedCode);
      return;
    }
    forcedCode = code;
    stop.abort();
    setTimeout(() => forceEnd(code), code === signalCodes.SIGINT ? interruptGraceMs : graceMs);
  };
  const onUncaught = (error: unknown): void => {
    uncaught ??= { error };
    stopWith(1);
  };

  let interruptsPassedOn = 0;
  for (const [name, code] of Object.entries(signalCodes)) {
    currentProcess.on(name, () => {
      if (code !== signalCodes.SIGINT || interruptsPassedOn === 0) stopWith(code);
    });
  }
  currentProcess.on('uncaughtException', onUncaught);
  currentProcess.on('unhandledRejection', onUncaught);
  // Otherwise, Node would write its warnings to the screen.
  currentProcess.removeAllListeners('warning');
  currentProcess.on('warning', (warning) => {
    if (heldWarnings === null) printWarning(warning);
    else heldWarnings.push(warning);
  });
  const loseResults = (error: NodeJS.ErrnoException): void => {
    uncaught ??= { error: outputError(error) };
    stop.abort();
  };
  const loseMessages = (): void => {
    hasLostMessages = true;
  };
  stdout.on('error', (error) => (isReaderGone(error) ? stop.abort() : loseResults(error)));
  stderr.on('error', (error) => (isReaderGone(error) ? stop.abort() : loseMessages()));

  const writeLast = async (): Promise<void> => {
    await flushed(stdout);
    // Writing to a slow reader may have failed since.
    reportUncaught();
    await flushed(stderr);
  };

  return {
    /** Aborted by a signal or an uncaught error, and when the output is closed. */
    signal: stop.signal,
    /** Holds back Node's warnings until the end, which will then not wait for a frozen terminal. */
    lendTerminal: (): void => {
      heldWarnings ??= [];
    },
    loseResults,
    loseMessages,
    passInterruptsOn: (): (() => void) => {
      interruptsPassedOn += 1;
      let isPassedOn = true;
      return () => {
        if (isPassedOn) interruptsPassedOn -= 1;
        isPassedOn = false;
      };
    },
    /**
     * Registers a hook that runs before a forced end. Its message is printed to standard error. The last one added runs
     * first. Returns a function that removes it.
     */
    onForcedEnd: (hook: ExitHook): (() => void) => {
      exitHooks.push(hook);
      return () => {
        const index = exitHooks.indexOf(hook);
        if (index !== -1) exitHooks.splice(index, 1);
      };
    },
    async end(exitCode: number): Promise<void> {
      for (const warning of heldWarnings ?? []) printWarning(warning);
      reportUncaught();
      await (heldWarnings === null ? writeLast() : Promise.race([writeLast(), delay(terminalTimeoutMs)]));
      await threadsIdle(currentProcess);
      const ended = uncaught !== null || (hasLostMessages && exitCode === codes.done) ? codes.failed : exitCode;
      leave(forcedCode ?? ended);
    },
  };
}

function exitMessage(hook: ExitHook, describe: DescribeError): string | null {
  try {
    return hook();
  } catch (error) {
    return describe(error);
  }
}

function flushed(stream: StandardStream): Promise<void> {
  return new Promise((resolve) => {
    // Failures are reported within this turn of the event loop. On a full device, even an empty write fails.
    if (stream.destroyed || stream.writableEnded || stream.writableLength === 0) setImmediate(resolve);
    else stream.write('', () => resolve());
  });
}

async function threadsIdle(currentProcess: Pick<CurrentProcess, 'getActiveResourcesInfo'>): Promise<void> {
  const tries = threadTimeoutMs / threadPollMs;
  for (let attempt = 0; attempt < tries && isThreadBusy(currentProcess); attempt += 1) {
    await delay(threadPollMs);
  }
}

export interface Suspension {
  request(): void;
  /**
   * The listener gets a function that stops the process and resolves when it continues. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: (stopProcess: () => Promise<void>) => void): () => void;
}

export type StoppableProcess = Pick<NodeJS.Process, 'on' | 'once' | 'off' | 'kill' | 'pid' | 'platform'>;

const holdMs = 2 ** 30;

/**
 * Returns the terminal to the shell on Ctrl+Z and SIGTSTP, and takes it back on `fg`. Null if there is no job control.
 */
export function createSuspension(currentProcess: StoppableProcess): Suspension | null {
  if (currentProcess.platform === 'win32') return null;
  const prepareStop = (): (() => Promise<void>) => {
    const continued = Promise.withResolvers<void>();
    let hasContinued = false;
    const hold = setInterval(() => undefined, holdMs);
    currentProcess.once('SIGCONT', () => {
      hasContinued = true;
      clearInterval(hold);
      // The window size may have changed, and only the shell was notified.
      currentProcess.kill(currentProcess.pid, 'SIGWINCH');
      continued.resolve();
    });
    return () => {
      if (!hasContinued) currentProcess.kill(currentProcess.pid, 'SIGSTOP');
      return continued.promise;
    };
  };
  return {
    // Stops the whole job. Otherwise, the shell would go on waiting for a script that started us.
    request: () => void currentProcess.kill(0, 'SIGTSTP'),
    subscribe: (listener) => {
      const onStop = (): void => listener(prepareStop());
      currentProcess.on('SIGTSTP', onStop);
      return () => currentProcess.off('SIGTSTP', onStop);
    },
  };
}
