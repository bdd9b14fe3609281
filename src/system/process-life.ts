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

/** Called before a forced exit. Must not wait for anything. Returns a message for the user, or null. */
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
  exit: ExitProcess,
  describe: DescribeError,
) {
  const stop = new AbortController();
  const exitHooks: ExitHook[] = [];
  let forcedCode: number | null = null;
  let uncaught: { readonly error: unknown } | null = null;
  let heldWarnings: Error[] | null = null;
  let hasLostMessages = false;

  const printMessage = (text: string): void => {
    beforeWriting?.();
    stderr.write(`parcel-monitor: ${text}\n`);
  };
  const printWarning = ({ name, message }: Error): void => {
    // Node ignores NO_COLOR in this case, but we do not.
    if (!message.startsWith("The 'NO_COLOR' env is ignored")) printMessage(`${name}: ${message}`);
  };
  let isUncaughtReported = false;
  const reportUncaught = (): void => {
    if (uncaught === null || isUncaughtReported) return;
    isUncaughtReported = true;
    printMessage(describe(uncaught.error));
  };
  const forceEnd = (code: number): void => {
    const messages = exitHooks
      .splice(0)
      .reverse()
      .map((hook) => exitMessage(hook, describe));
    for (const message of messages) if (message !== null) printMessage(message);
    reportUncaught();
    exit(code);
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
  // Node's own listener would write warnings to the screen.
  currentProcess.removeAllListeners('warning');
  currentProcess.on('warning', (warning) => {
    if (heldWarnings === null) printWarning(warning);
    else heldWarnings.push(warning);
  });
  const markResultsLost = (error: NodeJS.ErrnoException): void => {
    uncaught ??= { error: outputError(error) };
    stop.abort();
  };
  const markMessagesLost = (): void => {
    hasLostMessages = true;
  };
  stdout.on('error', (error) => (isReaderGone(error) ? stop.abort() : markResultsLost(error)));
  stderr.on('error', (error) => (isReaderGone(error) ? stop.abort() : markMessagesLost()));

  const writeLast = async (): Promise<void> => {
    await flush(stdout);
    // The error may have come while a slow reader was still reading.
    reportUncaught();
    await flush(stderr);
  };

  return {
    /** Aborted by a signal or an uncaught error, and when the output is closed. */
    signal: stop.signal,
    /** Holds back Node's warnings until the end, when a frozen terminal must not delay the exit. */
    lendTerminal: (): void => {
      heldWarnings ??= [];
    },
    markResultsLost,
    markMessagesLost,
    passInterruptsOn: (): (() => void) => {
      interruptsPassedOn += 1;
      let isPassedOn = true;
      return () => {
        if (isPassedOn) interruptsPassedOn -= 1;
        isPassedOn = false;
      };
    },
    /**
     * Registers a hook that runs before a forced exit. Its message is printed on standard error. The hook added last
     * runs first. Returns a function that removes the hook.
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
      await waitForThreads(currentProcess);
      const finalCode = uncaught !== null || (hasLostMessages && exitCode === codes.done) ? codes.failed : exitCode;
      exit(forcedCode ?? finalCode);
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

function flush(stream: StandardStream): Promise<void> {
  return new Promise((resolve) => {
    // Failures are reported within this turn of the event loop. On a full device, even an empty write fails.
    if (stream.destroyed || stream.writableEnded || stream.writableLength === 0) setImmediate(resolve);
    else stream.write('', () => resolve());
  });
}

async function waitForThreads(currentProcess: Pick<CurrentProcess, 'getActiveResourcesInfo'>): Promise<void> {
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

/** Delay of the interval that keeps the process alive while it is stopped, in milliseconds. */
const keepAliveMs = 2 ** 30;

/**
 * Creates the handler for Ctrl+Z and SIGTSTP, which stop the process until `fg`. Null if there is no job control.
 */
export function createSuspension(currentProcess: StoppableProcess): Suspension | null {
  if (currentProcess.platform === 'win32') return null;
  const prepareStop = (): (() => Promise<void>) => {
    const continued = Promise.withResolvers<void>();
    let hasContinued = false;
    const keepAlive = setInterval(() => undefined, keepAliveMs);
    currentProcess.once('SIGCONT', () => {
      hasContinued = true;
      clearInterval(keepAlive);
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
