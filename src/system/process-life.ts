import { setTimeout as delay } from 'node:timers/promises';
import { exitCode as codes, isThreadBusy, type LeaveProcess } from './exit.ts';
import { isReaderGone, type OwnStream, outputError, type StandardStream } from './standard-streams.ts';

/** The parts of `process` that say how the program fares. */
export type LivingProcess = Pick<NodeJS.Process, 'on' | 'removeAllListeners' | 'getActiveResourcesInfo'>;

/** Where its results and its messages go. */
export interface OwnStreams {
  readonly stdout: OwnStream;
  readonly stderr: OwnStream;
}

/** Called before the process is ended by force; must not wait. Answers what the user has to know, or null. */
type Farewell = () => string | null;

/** What befalls the process while a command runs. */
export interface ProcessLife {
  /** Aborted by a signal, by an error that nobody caught, and when nobody reads the output any more. */
  readonly signal: AbortSignal;
  /**
   * The terminal belongs to the board from now on: Node's warnings are kept back, and in the end nobody waits for a
   * terminal that takes nothing more.
   */
  lendTerminal(): void;
  /** Results could not be written, which is reported at the end: nothing more needs to be found out. */
  loseResults(error: NodeJS.ErrnoException): void;
  /** A message could not be written: the work goes on, but its end is no success. */
  loseMessages(): void;
  /**
   * Has something done before the process is ended by force, the latest first; what it answers is printed on standard
   * error. Answers how to take it back.
   */
  onForcedEnd(farewell: Farewell): () => void;
  /** Leaves Ctrl+C to a program that has the terminal, to which it may mean something else. Answers how to take it back. */
  leaveInterrupts(): () => void;
  /** Ends the process once everything is written: with the code of the signal or the error, else with this one. */
  end(exitCode: number): Promise<void>;
}

/** Exit codes of signals: 128 and the signal's number. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** How long a command may take to end after a signal, in milliseconds; who pressed Ctrl+C waits at the keyboard. */
const graceMs = 2000;
const interruptGraceMs = 800;

/** How long a terminal that was the board's may take for the last words, in milliseconds. */
const terminalPatienceMs = 400;

/** How often it is looked whether the other threads have done their work, in milliseconds. */
const lookEveryMs = 10;
/** How long that may take at the end of a command, in milliseconds. */
const threadPatienceMs = 1000;

/** Turns an error into a sentence for the user. */
type DescribeError = (error: unknown) => string;

/** Watches over the process from now on. */
export function watchProcess(
  living: LivingProcess,
  { stderr, stdout }: OwnStreams,
  leave: LeaveProcess,
  describe: DescribeError,
): ProcessLife {
  const stop = new AbortController();
  const farewells: Farewell[] = [];
  let forcedCode: number | null = null;
  let accident: { readonly error: unknown } | null = null;
  let heldWarnings: Error[] | null = null;
  let hasLostMessages = false;

  const say = (text: string, stream: StandardStream = stderr): void => {
    stream.write(`parcel-monitor: ${text}\n`);
  };
  const printWarning = ({ name, message }: Error): void => say(`${name}: ${message}`);
  let isAccidentReported = false;
  const reportAccident = (stream: StandardStream = stderr): void => {
    if (accident === null || isAccidentReported) return;
    isAccidentReported = true;
    say(describe(accident.error), stream);
  };
  /** Does not wait for anything that may hang. */
  const forceEnd = (code: number): void => {
    const words = farewells
      .splice(0)
      .reverse()
      .map((farewell) => farewellText(farewell, describe));
    const atOnce = stderr.opened();
    for (const text of words) if (text !== null) say(text, atOnce);
    reportAccident(atOnce);
    leave(code);
  };
  const stopWith = (code: number): void => {
    // A second signal: the user does not want to wait.
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
  // Node itself would write to the screen.
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
    // What was still on its way to a slow reader may have come to nothing.
    reportAccident();
    await flushed(stderr);
  };

  return {
    signal: stop.signal,
    lendTerminal: () => {
      heldWarnings ??= [];
    },
    loseResults,
    loseMessages,
    leaveInterrupts: () => {
      leftInterrupts += 1;
      let isLeft = true;
      return () => {
        if (isLeft) leftInterrupts -= 1;
        isLeft = false;
      };
    },
    onForcedEnd: (farewell) => {
      farewells.push(farewell);
      return () => {
        const index = farewells.indexOf(farewell);
        if (index !== -1) farewells.splice(index, 1);
      };
    },
    async end(exitCode) {
      for (const warning of heldWarnings ?? []) printWarning(warning);
      reportAccident();
      await (heldWarnings === null ? writeLast() : Promise.race([writeLast(), delay(terminalPatienceMs)]));
      await threadsIdle(living);
      // What shows the cursor again writes to it when the process exits: opened by that, it would wait for a frozen terminal.
      if (heldWarnings !== null) stderr.opened();
      const ended = accident !== null || (hasLostMessages && exitCode === codes.done) ? codes.failed : exitCode;
      leave(forcedCode ?? ended);
    },
  };
}

/** An error on the way out must not keep the process in. */
function farewellText(farewell: Farewell, describe: DescribeError): string | null {
  try {
    return farewell();
  } catch (error) {
    return describe(error);
  }
}

/** Resolves when everything is written, or cannot be. */
function flushed(stream: StandardStream): Promise<void> {
  return new Promise((resolve) => {
    // What failed just now is reported in this turn of the event loop. To write nothing is a failure, too, on a full device.
    if (stream.destroyed || stream.writableEnded || stream.writableLength === 0) setImmediate(resolve);
    else stream.write('', () => resolve());
  });
}

/** Resolves when no other thread works, or one does so for too long. */
async function threadsIdle(living: Pick<LivingProcess, 'getActiveResourcesInfo'>): Promise<void> {
  const tries = threadPatienceMs / lookEveryMs;
  for (let attempt = 0; attempt < tries && isThreadBusy(living); attempt += 1) {
    await delay(lookEveryMs);
  }
}

/** Handing the terminal back to the shell for a while (Ctrl+Z, SIGTSTP). */
export interface Suspension {
  /** Sends the signal; it comes back through `subscribe`, as a signal from outside does. */
  request(): void;
  /**
   * Calls the listener when the program is to be suspended, with what stops the process and resolves when it goes on.
   * Answers how to stop listening.
   */
  subscribe(listener: (stopProcess: () => Promise<void>) => void): () => void;
}

/** The parts of `process` that job control needs. */
export type StoppableProcess = Pick<NodeJS.Process, 'on' | 'once' | 'off' | 'kill' | 'pid' | 'platform'>;

/** Keeps the event loop alive: a stopped board has no other reason to be there when it goes on. */
const holdMs = 2 ** 30;

/**
 * Lets the shell have the terminal back on Ctrl+Z and on SIGTSTP, and takes it again on `fg`; null where there is no
 * job control. While somebody listens, SIGTSTP no longer stops the process at once: the screen is left first.
 */
export function createSuspension(living: StoppableProcess): Suspension | null {
  if (living.platform === 'win32') return null;
  /** Listens for SIGCONT from the first signal on: a quick `fg` comes before the screen is left, and must not be missed. */
  const preparedStop = (): (() => Promise<void>) => {
    const gone = Promise.withResolvers<void>();
    let goesOn = false;
    const hold = setInterval(() => undefined, holdMs);
    living.once('SIGCONT', () => {
      goesOn = true;
      clearInterval(hold);
      // Its window may be another one: the system told that to the shell, which had the terminal then.
      living.kill(living.pid, 'SIGWINCH');
      gone.resolve();
    });
    return () => {
      if (!goesOn) living.kill(living.pid, 'SIGSTOP');
      return gone.promise;
    };
  };
  return {
    // The whole job: a script that started the program has to stop with it, or the shell would go on waiting.
    request: () => void living.kill(0, 'SIGTSTP'),
    subscribe: (listener) => {
      const onStop = (): void => listener(preparedStop());
      living.on('SIGTSTP', onStop);
      return () => living.off('SIGTSTP', onStop);
    },
  };
}
