import { setTimeout as delay } from 'node:timers/promises';
import { exitCode as codes, isThreadBusy, type LeaveProcess } from './exit.ts';
import { isReaderGone, outputError, type StandardStream } from './standard-streams.ts';

export type LivingProcess = Pick<NodeJS.Process, 'on' | 'removeAllListeners' | 'getActiveResourcesInfo'>;

interface StandardStreams {
  readonly stdout: StandardStream;
  readonly stderr: StandardStream;
  /** Called before a message is written. */
  readonly beforeWriting?: () => void;
}

/** Called before a forced end. Must not wait. Returns a message for the user, or null. */
type Farewell = () => string | null;

const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * How long a command may take to end after a signal, in milliseconds. Shorter after Ctrl+C, since the user is waiting.
 */
const graceMs = 2000;
const interruptGraceMs = 800;

/** How long a terminal that showed the board may take for the last messages, in milliseconds. */
const terminalPatienceMs = 400;

const lookEveryMs = 10;
const threadPatienceMs = 1000;

type DescribeError = (error: unknown) => string;

export type ProcessLife = ReturnType<typeof watchProcess>;

export function watchProcess(
  living: LivingProcess,
  { stderr, stdout, beforeWriting }: StandardStreams,
  leave: LeaveProcess,
  describe: DescribeError,
) {
  const stop = new AbortController();
  const farewells: Farewell[] = [];
  let forcedCode: number | null = null;
  let accident: { readonly error: unknown } | null = null;
  let heldWarnings: Error[] | null = null;
  let hasLostMessages = false;

  const say = (text: string): void => {
    beforeWriting?.();
    stderr.write(`parcel-monitor: ${text}\n`);
  };
  const printWarning = ({ name, message }: Error): void => {
    // Node then ignores NO_COLOR, but we do not.
    if (!message.startsWith("The 'NO_COLOR' env is ignored")) say(`${name}: ${message}`);
  };
  let isAccidentReported = false;
  const reportAccident = (): void => {
    if (accident === null || isAccidentReported) return;
    isAccidentReported = true;
    say(describe(accident.error));
  };
  const forceEnd = (code: number): void => {
    const words = farewells
      .splice(0)
      .reverse()
      .map((farewell) => farewellText(farewell, describe));
    for (const text of words) if (text !== null) say(text);
    reportAccident();
    leave(code);
  };
  const stopWith = (code: number): void => {
    // After a second signal, do not wait.
    if (forcedCode !== null) {
      forceEnd(forcedCode);
      return;
    }
    forcedCode = code;
    stop.abort();
    setTimeout(() => forceEnd(code), code === signalCodes.SIGINT ? interruptGraceMs : graceMs);
  };
  const onAccident = (error: unknown): void => {
    accident ??= { error };
    stopWith(1);
  };

  let leftInterrupts = 0;
  for (const [name, code] of Object.entries(signalCodes)) {
    living.on(name, () => {
      if (code !== signalCodes.SIGINT || leftInterrupts === 0) stopWith(code);
    });
  }
  living.on('uncaughtException', onAccident);
  living.on('unhandledRejection', onAccident);
  // Otherwise Node would write to the screen.
  living.removeAllListeners('warning');
  living.on('warning', (warning) => {
    if (heldWarnings === null) printWarning(warning);
    else heldWarnings.push(warning);
  });
  const loseResults = (error: NodeJS.ErrnoException): void => {
    accident ??= { error: outputError(error) };
    stop.abort();
  };
  const loseMessages = (): void => {
    hasLostMessages = true;
  };
  stdout.on('error', (error) => (isReaderGone(error) ? stop.abort() : loseResults(error)));
  stderr.on('error', (error) => (isReaderGone(error) ? stop.abort() : loseMessages()));

  const writeLast = async (): Promise<void> => {
    await flushed(stdout);
    // Writing to a slow reader may have failed by now.
    reportAccident();
    await flushed(stderr);
  };

  return {
    /** Aborted by a signal, an uncaught error, or when the output is closed. */
    signal: stop.signal,
    /** Holds back Node's warnings. The end will not wait for a frozen terminal. */
    lendTerminal: (): void => {
      heldWarnings ??= [];
    },
    loseResults,
    loseMessages,
    passInterruptsOn: (): (() => void) => {
      leftInterrupts += 1;
      let isLeft = true;
      return () => {
        if (isLeft) leftInterrupts -= 1;
        isLeft = false;
      };
    },
    /**
     * Runs before a forced end, last added first, and prints the result on standard error. Returns a function that
     * removes it.
     */
    onForcedEnd: (farewell: Farewell): (() => void) => {
      farewells.push(farewell);
      return () => {
        const index = farewells.indexOf(farewell);
        if (index !== -1) farewells.splice(index, 1);
      };
    },
    async end(exitCode: number): Promise<void> {
      for (const warning of heldWarnings ?? []) printWarning(warning);
      reportAccident();
      await (heldWarnings === null ? writeLast() : Promise.race([writeLast(), delay(terminalPatienceMs)]));
      await threadsIdle(living);
      const ended = accident !== null || (hasLostMessages && exitCode === codes.done) ? codes.failed : exitCode;
      leave(forcedCode ?? ended);
    },
  };
}

function farewellText(farewell: Farewell, describe: DescribeError): string | null {
  try {
    return farewell();
  } catch (error) {
    return describe(error);
  }
}

function flushed(stream: StandardStream): Promise<void> {
  return new Promise((resolve) => {
    // A failure is reported in this turn of the event loop. Writing an empty text also fails on a full device.
    if (stream.destroyed || stream.writableEnded || stream.writableLength === 0) setImmediate(resolve);
    else stream.write('', () => resolve());
  });
}

async function threadsIdle(living: Pick<LivingProcess, 'getActiveResourcesInfo'>): Promise<void> {
  const tries = threadPatienceMs / lookEveryMs;
  for (let attempt = 0; attempt < tries && isThreadBusy(living); attempt += 1) {
    await delay(lookEveryMs);
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

/** Returns the terminal to the shell on Ctrl+Z and SIGTSTP, and takes it back on `fg`. Null without job control. */
export function createSuspension(living: StoppableProcess): Suspension | null {
  if (living.platform === 'win32') return null;
  const preparedStop = (): (() => Promise<void>) => {
    const gone = Promise.withResolvers<void>();
    let goesOn = false;
    const hold = setInterval(() => undefined, holdMs);
    living.once('SIGCONT', () => {
      goesOn = true;
      clearInterval(hold);
      // The window size may have changed, and only the shell was notified.
      living.kill(living.pid, 'SIGWINCH');
      gone.resolve();
    });
    return () => {
      if (!goesOn) living.kill(living.pid, 'SIGSTOP');
      return gone.promise;
    };
  };
  return {
    // Stop the whole job: otherwise the shell would wait for a script that started us.
    request: () => void living.kill(0, 'SIGTSTP'),
    subscribe: (listener) => {
      const onStop = (): void => listener(preparedStop());
      living.on('SIGTSTP', onStop);
      return () => living.off('SIGTSTP', onStop);
    },
  };
}
