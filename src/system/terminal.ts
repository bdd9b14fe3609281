import { createSerialQueue } from '../lib/async.ts';
import { showingSequence } from './saved-frame.ts';

/** The parts of `process` that are needed to have the terminal before the program is loaded. */
export type StartingProcess = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'platform' | 'pid' | 'kill' | 'on' | 'off' | 'listenerCount' | 'stdin' | 'stdout' | 'geteuid'
>;

/** The parts of Node's module for files that are needed. */
export type FilesAtStart = Pick<
  typeof import('node:fs'),
  'openSync' | 'closeSync' | 'fstatSync' | 'statSync' | 'readFileSync' | 'writeSync' | 'constants'
>;

export interface TerminalSource {
  readonly living: StartingProcess;
  readonly files: Pick<FilesAtStart, 'writeSync'>;
  /** Calls back later, unless the process has ended by then; answers how to call it off. */
  readonly setTimer: (milliseconds: number, callback: () => void) => () => void;
  /** Holds the whole process up. */
  readonly pause: (milliseconds: number) => void;
}

interface BoardStreams {
  readonly stdin: {
    setRawMode?(mode: boolean): unknown;
    pause(): unknown;
    resume(): unknown;
  };
  /** Its writes must not block. */
  readonly stdout: { write(text: string): unknown; readonly writableLength?: number };
  /** Writes something as soon as a terminal that is frozen goes on, even after the end of the program. */
  readonly writeLater: (text: string) => void;
  /** Leaves Ctrl+C to a program that has the terminal; answers how to take it back. */
  readonly leaveInterrupts: () => () => void;
  /** Whether the terminal's window has a title. */
  readonly hasTitle: boolean;
}

/** Lets go of the keys and of the screen, has work done, and takes both again. */
type Suspend = (work: () => Promise<void>) => Promise<void>;

/**
 * How long keys are left to wait in the system behind a frame, in milliseconds: the system hands them to the shell where the
 * program fails. Then they are looked through for a Ctrl-C, which the terminal makes no signal of any more.
 */
const patienceMs = 1000;
/** How long a terminal that does not make its writer wait may take for a frame, in milliseconds; it takes a few kilobytes at once. */
const writingPatienceMs = 200;

const interrupt = 3;

/** What ends the process while nothing of the program listens for it, and may come from a user or from the system. */
const unhandledSignals = ['SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGUSR2', 'SIGXCPU'] as const;

const erasingLine = '\r\u001b[K';
/** The alternate screen, its first row, the cursor hidden, pastes marked, reports of the focus. */
const enteringScreen = '\u001b[?1049h\u001b[0m\u001b[H';
const boardModes = '\u001b[?25l\u001b[?2004h\u001b[?1004h';
/** Frame ended, rows that go on in the next one, reports and marks off, the normal screen, the cursor shown. */
export const leavingSequence = '\u001b[?2026l\u001b[?7h\u001b[?2004l\u001b[?1004l\u001b[?1049l\u001b[?25h';
/** Ends a sequence of which a frozen terminal has seen the beginning. */
const cancelSequence = '\u0018';

/** Saves icon name and title on the terminal's stack, and takes them off it (XTWINOPS). tmux has such a stack for each pane. */
const saveTitle = '\u001b[22;0t';
const restoreTitle = '\u001b[23;0t';
/** Sets icon name and title; some terminals show the one on the tab, others the other. */
const titleSequence = (title: string): string => `\u001b]0;${title}\u001b\\`;

/**
 * The one owner of the terminal. The shell has it; or it is ours: a line that says what the start waits for, the frame with
 * which the board was left, or the board; or the board has lent it to another program. It is made by the launcher, before
 * anything else is loaded, and gives the terminal back, however the process ends.
 */
export class Terminal {
  readonly #source: TerminalSource;
  #owner: 'shell' | 'ours' | 'lent' = 'shell';
  #standing: 'nothing' | 'line' | 'frame' | 'board' = 'nothing';
  #frameRows = 0;
  /** Programs that may use it before there is a board. */
  #programs = 0;
  #stopReading = (): void => {};
  #onQuit: (() => void) | null = null;
  #board: BoardStreams | null = null;
  #suspend: Suspend | null = null;
  #title: string | null = null;
  #isTitleSaved = false;
  readonly #lending = createSerialQueue();
  readonly #listeners: readonly (readonly [string, () => void])[];

  constructor(source: TerminalSource) {
    this.#source = source;
    const { living } = source;
    /** As long as the program does not listen for a signal, the signal does what it does without a listener. */
    const endedBy = (signal: NodeJS.Signals) => (): void => {
      if (living.listenerCount(signal) > 1) return;
      this.giveBack();
      living.kill(living.pid, signal);
    };
    const onStop = (): void => {
      if (living.listenerCount('SIGTSTP') > 1) return;
      const board = this.#board;
      this.giveBack();
      living.kill(living.pid, 'SIGSTOP');
      // It goes on by now. A board that cannot be suspended yet goes on opening.
      if (board !== null) this.open(board);
    };
    /** Where others end the process on it (Ink does), they come after this. */
    const gaveBackOn = (signal: NodeJS.Signals) => (): void => {
      this.giveBack();
      if (living.listenerCount(signal) === 0) living.kill(living.pid, signal);
    };
    const onAccident = (): void => {
      if (living.listenerCount('uncaughtException') === 0) this.giveBack();
    };
    this.#listeners = [
      ['exit', () => this.giveBack()],
      ['uncaughtExceptionMonitor', onAccident],
      ['SIGINT', endedBy('SIGINT')],
      ['SIGTERM', endedBy('SIGTERM')],
      ['SIGHUP', endedBy('SIGHUP')],
      ['SIGTSTP', onStop],
      ...unhandledSignals.map((signal) => [signal, gaveBackOn(signal)] as const),
    ];
  }

  /** Whether what is written to it now is ours. */
  get isOurs(): boolean {
    return this.#owner === 'ours';
  }

  get hasBoard(): boolean {
    return this.#owner !== 'shell' && this.#board !== null;
  }

  /** Whether the frame stands with which the board was left. */
  get isFrameStanding(): boolean {
    return this.#standing === 'frame';
  }

  /** Shows the rows of a frame. Throws what the terminal throws, which has been given back then. */
  showFrame(rows: readonly string[]): void {
    this.#frameRows = rows.length;
    this.#take('frame', showingSequence(rows), patienceMs);
  }

  /**
   * Says in one row what the start waits for: below a frame that stands, else in a line of its own; null takes that line away.
   * Does nothing while a program may use the terminal. A terminal that takes nothing goes without.
   */
  tell(text: string | null): void {
    if (this.#board !== null || this.#programs > 0) return;
    if (text === null) {
      if (this.#standing === 'line') this.giveBack();
    } else if (this.#standing === 'frame') this.#put(`\u001b[${this.#frameRows};1H\u001b[0m\u001b[2K ${text}`);
    else if (this.#standing === 'line') this.#put(`${erasingLine}${text}`);
    else {
      try {
        // A Ctrl-C counts at once, as it did before the line stood.
        this.#take('line', `${erasingLine}${text}`, 0);
      } catch {
        // The board says what is wrong with the terminal.
      }
    }
  }

  /** Has q call this while there is no board yet; null ends that. */
  onQuit(listener: (() => void) | null): void {
    this.#onQuit = listener;
  }

  /** Runs work that may need the terminal before there is a board: there is no line until it ends. Rejects as the work. */
  async aside<Result>(work: () => Promise<Result>): Promise<Result> {
    this.tell(null);
    this.#programs += 1;
    try {
      return await work();
    } finally {
      this.#programs -= 1;
    }
  }

  /** Gives it back, so that something else can be printed; does nothing while a board has it. */
  makeWay(): void {
    if (this.#board === null) this.giveBack();
  }

  /** A board has it from now on: takes its keys. What stands stays until the board enters its screen. */
  open(board: BoardStreams): void {
    this.#board = board;
    if (this.#owner === 'shell') this.#listen();
    this.#stopReading();
    this.#owner = 'ours';
    board.stdin.setRawMode?.(true);
  }

  /** Enters the board's screen, or takes a frame over that stands there; does nothing when it is there. */
  enter(): void {
    if (this.#owner !== 'ours' || this.#standing === 'board') return;
    const before = this.#standing;
    this.#standing = 'board';
    const entering = before === 'frame' ? '' : enteringScreen;
    this.write(`${before === 'line' ? erasingLine : ''}${entering}${boardModes}${this.#titleShown()}`);
  }

  /** Says how the board lets go of keys and screen, as long as it can. */
  suspendWith(suspend: Suspend | null): void {
    this.#suspend = suspend;
  }

  /** Writes to it for the board; what is written while it is not ours is left out. */
  write(text: string): void {
    if (this.#owner === 'ours' && text !== '') this.#board?.stdout.write(text);
  }

  /** Shows a title on its window; writes nothing when it is shown already. With null, the one of before is given back. */
  showTitle(title: string | null): void {
    if (title === this.#title || this.#board?.hasTitle !== true) return;
    this.#title = title;
    if (this.#owner === 'ours' && this.#standing === 'board') {
      this.write(title === null ? this.#titleRestored() : this.#titleShown());
    }
  }

  /** Lets the shell have it until the process goes on. Where a program has it, that stops as well. */
  async suspend(stopProcess: () => Promise<void>): Promise<void> {
    if (this.#owner === 'lent') await stopProcess();
    else await this.#lend('', stopProcess);
  }

  /**
   * Runs work of a program that may ask something, one at a time; a board leaves the terminal for it. Rejects as the work.
   * @param told what stands above what the program writes
   */
  async borrow<Result>(told: string, work: () => Promise<Result>): Promise<Result> {
    return await this.#lending.run(async () => {
      if (this.#suspend === null) return await work();
      let outcome: PromiseSettledResult<Awaited<Result>> | undefined;
      const takeInterruptsBack = this.#board?.leaveInterrupts();
      try {
        await this.#lend(told, async () => {
          [outcome] = await Promise.allSettled([work()]);
        });
      } finally {
        takeInterruptsBack?.();
      }
      // A board that has ended lends nothing any more.
      if (outcome === undefined) return await work();
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  /** Gives it back as it was, without a wait; does nothing when the shell has it. */
  giveBack(): void {
    if (this.#owner === 'shell') return;
    const leaving = this.#owner === 'ours' ? this.#leaving() : '';
    this.#owner = 'shell';
    this.#standing = 'nothing';
    this.#stopReading();
    for (const [name, listener] of this.#listeners) this.#source.living.off(name, listener);
    // A terminal that is gone wants nothing back; one that takes no text now may still show what is typed. That comes first: the
    // system makes it wait for a write to a frozen terminal.
    tried(() => (this.#board?.stdin ?? this.#source.living.stdin).setRawMode?.(false));
    tried(() => this.#writeLast(leaving));
  }

  async #lend(told: string, work: () => Promise<void>): Promise<void> {
    await this.#suspend?.(async () => {
      if (this.#owner !== 'ours') return;
      const stdin = this.#board?.stdin;
      this.write(`${this.#leaving()}${told}`);
      this.#owner = 'lent';
      // What is typed now is for the other program.
      stdin?.pause();
      try {
        await work();
      } finally {
        stdin?.resume();
        // The process may have ended in the meantime.
        if (this.hasBoard) {
          this.#owner = 'ours';
          this.#standing = 'nothing';
          this.enter();
        }
      }
    });
  }

  #take(standing: 'line' | 'frame', shows: string, readsAfterMs: number): void {
    const { living, setTimer } = this.#source;
    try {
      this.#owner = 'ours';
      this.#standing = standing;
      // Before anything is changed: who is ended in between gives nothing back.
      this.#listen();
      // Before anything stands: a key in between would be written into it, and at its end it scrolls the header away.
      living.stdin.setRawMode(true);
      this.#writeAll(shows);
      const cancel = setTimer(readsAfterMs, () => {
        const onInterrupt = (): void => {
          this.giveBack();
          living.kill(living.pid, 'SIGINT');
        };
        this.#stopReading = readKeysAhead(living.stdin, (bytes) => {
          if (bytes.includes(interrupt)) onInterrupt();
          else if (bytes.includes('q')) this.#onQuit?.();
        });
      });
      this.#stopReading = cancel;
    } catch (error) {
      this.giveBack();
      throw error;
    }
  }

  #listen(): void {
    for (const [name, listener] of this.#listeners) this.#source.living.on(name, listener);
  }

  #put(text: string): void {
    try {
      this.#writeAll(text);
    } catch {
      this.giveBack();
    }
  }

  #leaving(): string {
    if (this.#standing === 'nothing') return '';
    return this.#standing === 'line' ? erasingLine : `${leavingSequence}${this.#titleRestored()}`;
  }

  #titleShown(): string {
    if (this.#title === null) return '';
    const saved = this.#isTitleSaved ? '' : saveTitle;
    this.#isTitleSaved = true;
    return `${saved}${titleSequence(this.#title)}`;
  }

  /** Restores the former title, once: the next one on the terminal's stack belongs to another program. */
  #titleRestored(): string {
    const restored = this.#isTitleSaved ? restoreTitle : '';
    this.#isTitleSaved = false;
    return restored;
  }

  #writeLast(text: string): void {
    if (text === '') return;
    if (this.#board === null) this.#writeAll(text);
    else if ((this.#board.stdout.writableLength ?? 0) > 0) this.#board.writeLater(`${cancelSequence}${text}`);
    else this.#board.stdout.write(text);
  }

  /** Writes all of it. Throws what the terminal throws, also when it takes nothing for too long. */
  #writeAll(text: string): void {
    const { files, pause } = this.#source;
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
}

/** Reads what is typed, and puts it back when it is to stop. */
function readKeysAhead(stdin: NodeJS.ReadStream, onTyped: (bytes: Buffer) => void): () => void {
  const typed: Buffer[] = [];
  const onData = (bytes: Buffer): void => {
    typed.push(bytes);
    onTyped(bytes);
  };
  stdin.on('data', onData);
  return () => {
    stdin.off('data', onData);
    stdin.pause();
    if (typed.length > 0) stdin.unshift(Buffer.concat(typed));
    typed.length = 0;
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
