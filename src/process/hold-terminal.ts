/** The parts of `process` that are needed to show something before the program is loaded. */
export type StartingProcess = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'platform' | 'pid' | 'kill' | 'on' | 'off' | 'listenerCount' | 'stdin' | 'stdout' | 'geteuid'
>;

/** The parts of Node's module for files that are needed. */
export type FilesAtStart = Pick<
  typeof import('node:fs'),
  'openSync' | 'closeSync' | 'fstatSync' | 'statSync' | 'readFileSync' | 'writeSync' | 'constants'
>;

/** The terminal of a process, and how to wait. */
export interface TerminalSource {
  readonly living: StartingProcess;
  readonly files: FilesAtStart;
  /** Calls back later, unless the process has ended by then; answers how to call it off. */
  readonly setTimer: (milliseconds: number, callback: () => void) => () => void;
  /** Holds the whole process up. */
  readonly pause: (milliseconds: number) => void;
}

/** What is written to a terminal while it is held. */
interface Holding {
  /** Written first. */
  readonly shows: string;
  /** Written when the terminal is given back. */
  readonly leaves: string;
  /** How long keys are left to wait in the system, in milliseconds; then they are looked through for a Ctrl-C. */
  readonly patienceMs: number;
}

/** Reads what is typed from now on; answers how to stop that. */
export type TerminalReader = (stdin: NodeJS.ReadStream) => () => void;

/** A terminal that takes keys without showing them. */
export interface HeldTerminal {
  /** False once it was handed on or given back. */
  readonly isHeld: boolean;
  /** Writes to it; false where it is not held, or takes nothing, and is given back then. */
  write(text: string): boolean;
  /** Lets somebody read what is typed, until the terminal is handed on or given back; nobody where it is not held. */
  read(reader: TerminalReader): void;
  /** Hands it on as it is; what was typed can be read again. */
  release(): void;
  /** Gives it back as it was; does nothing when it is not held. */
  giveBack(): void;
}

const interrupt = 3;

/** Holds the terminal for what stands on it. Throws what the terminal throws, which has been given back then. */
export function holdTerminal(source: TerminalSource, holding: Holding): HeldTerminal {
  const { living, setTimer } = source;
  let isHeld = true;
  let stopReading = (): void => {};
  const release = (): void => {
    isHeld = false;
    stopReading();
    for (const [name, listener] of listeners) living.off(name, listener);
  };
  const giveBack = (): void => {
    if (!isHeld) return;
    release();
    // A terminal that is gone wants nothing back; one that takes no text now may still show what is typed.
    tried(() => writeAll(source, holding.leaves));
    tried(() => living.stdin.setRawMode(false));
  };
  /** Before the program listens for a signal, it is as if nobody did. */
  const endedBy =
    (signal: NodeJS.Signals, action: NodeJS.Signals = signal) =>
    (): void => {
      if (living.listenerCount(signal) > 1) return;
      giveBack();
      living.kill(living.pid, action);
    };
  const listeners: readonly (readonly [string, () => void])[] = [
    ['exit', giveBack],
    ['uncaughtExceptionMonitor', giveBack],
    ['SIGINT', endedBy('SIGINT')],
    ['SIGTERM', endedBy('SIGTERM')],
    ['SIGHUP', endedBy('SIGHUP')],
    ['SIGTSTP', endedBy('SIGTSTP', 'SIGSTOP')],
  ];
  try {
    // Before anything is changed: who is ended in between gives nothing back.
    for (const [name, listener] of listeners) living.on(name, listener);
    // Before anything stands: a key in between would be written into it, and at its end it scrolls the header away.
    living.stdin.setRawMode(true);
    writeAll(source, holding.shows);
    stopReading = setTimer(holding.patienceMs, () => {
      stopReading = readUntilInterrupt(living.stdin, () => {
        giveBack();
        living.kill(living.pid, 'SIGINT');
      });
    });
  } catch (error) {
    giveBack();
    throw error;
  }
  return {
    get isHeld() {
      return isHeld;
    },
    write(text) {
      if (!isHeld) return false;
      try {
        writeAll(source, text);
        return true;
      } catch {
        giveBack();
        return false;
      }
    },
    read(reader) {
      if (!isHeld) return;
      stopReading();
      stopReading = reader(living.stdin);
    },
    release() {
      if (isHeld) release();
    },
    giveBack,
  };
}

/** Reads what is typed, and puts it back when it is to stop. */
function readUntilInterrupt(stdin: NodeJS.ReadStream, onInterrupt: () => void): () => void {
  const typed: Buffer[] = [];
  const onData = (bytes: Buffer): void => {
    typed.push(bytes);
    if (bytes.includes(interrupt)) onInterrupt();
  };
  stdin.on('data', onData);
  return () => {
    stdin.off('data', onData);
    stdin.pause();
    if (typed.length > 0) stdin.unshift(Buffer.concat(typed));
  };
}

/** Does something, or else nothing. */
function tried(work: () => void): void {
  try {
    work();
  } catch {
    // What comes next is to be done all the same.
  }
}

/** How long a terminal that does not make its writer wait may take for a frame, in milliseconds; it takes a few kilobytes at once. */
const writingPatienceMs = 200;

/** Writes all of it. Throws what the terminal throws, also when it takes nothing for too long. */
function writeAll({ files, pause }: TerminalSource, text: string): void {
  let waits = 0;
  for (let rest = Buffer.from(text, 'utf8'); rest.length > 0; ) {
    try {
      rest = rest.subarray(files.writeSync(1, rest));
    } catch (error) {
      waits += 1;
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waits > writingPatienceMs) throw error;
      pause(1);
    }
  }
}
