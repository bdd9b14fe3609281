import { createSerialQueue } from '../lib/async.ts';
import { showingSequence } from './saved-screen.ts';

export type StartingProcess = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'platform' | 'pid' | 'kill' | 'on' | 'off' | 'listenerCount' | 'stdin' | 'stdout' | 'geteuid'
>;

export type FilesAtStart = Pick<
  typeof import('node:fs'),
  'openSync' | 'closeSync' | 'fstatSync' | 'statSync' | 'readFileSync' | 'writeSync' | 'constants'
>;

export interface TerminalSource {
  readonly living: StartingProcess;
  readonly files: Pick<FilesAtStart, 'writeSync'>;
  /** Does not keep the process alive. Returns a function that cancels it. */
  readonly setTimer: (milliseconds: number, callback: () => void) => () => void;
  /** Blocks the process. */
  readonly pause: (milliseconds: number) => void;
}

interface BoardStreams {
  readonly stdin: {
    setRawMode?(mode: boolean): unknown;
    pause(): unknown;
    resume(): unknown;
  };
  /** Writes must not block. */
  readonly stdout: { write(text: string, onRead?: () => void): unknown; readonly writableLength?: number };
  /** Writes when a frozen terminal continues, even after the program has ended. */
  readonly writeLater: (text: string) => void;
  /** Passes Ctrl+C to another program. Returns a function that restores our handling. */
  readonly passInterruptsOn: () => () => void;
  readonly hasTitle: boolean;
}

/** Releases keys and screen, does the work, and takes both back. */
type Suspend = (work: () => Promise<void>) => Promise<void>;

/**
 * How long we leave typed keys to the system behind a saved screen, in milliseconds: if the program fails, the shell
 * gets them. After that we read them to detect Ctrl+C, which is not a signal in raw mode.
 */
const patienceMs = 1000;
/** How long a non-blocking terminal may take for a frame, in milliseconds. */
const writingPatienceMs = 200;

const interrupt = 3;

/** Signals that end the process, unless a preloaded module or an option of Node listens for them. */
const unhandledSignals = ['SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGUSR2', 'SIGXCPU'] as const;

const erasingLine = '\r\u001b[K';
const enteringScreen = '\u001b[?1049h\u001b[0m\u001b[H';
const boardModes = '\u001b[?25l\u001b[?2004h\u001b[?1004h';
/** Ends a frame, turns wrapping on, turns paste and focus reports off, and shows the normal screen and the cursor. */
export const leavingSequence = '\u001b[?2026l\u001b[?7h\u001b[?2004l\u001b[?1004l\u001b[?1049l\u001b[?25h';
/** Reports of buttons and wheel (1000), with decimal numbers (1006). */
const mouseOn = '\u001b[?1000h\u001b[?1006h';
const mouseOff = '\u001b[?1006l\u001b[?1000l';
/**
 * OSC 11: terminals that support it reply with the colour of their background. All reply to DA1, and they reply in
 * order.
 */
const backgroundQuestion = '\u001b]11;?\u001b\\\u001b[c';
/** How long the reply to DA1 may take, in milliseconds. */
const answerPatienceMs = 2000;
/** How long a slow terminal may take to read the last frame, in milliseconds. */
const readingPatienceMs = 500;
/** Cancels a sequence that a frozen terminal has received in part. */
const cancelSequence = '\u0018';

/** Saves and restores the title on the terminal's stack (XTWINOPS); in tmux, on the pane's stack. */
const saveTitle = '\u001b[22;0t';
const restoreTitle = '\u001b[23;0t';
/** Sets icon name and title, because terminals show one or the other on the tab. */
const titleSequence = (title: string): string => `\u001b]0;${title}\u001b\\`;

/**
 * Manages the terminal. The terminal belongs to the shell, to us (progress line, saved screen or board), or to a child
 * process. Created by the launcher. Restores the terminal however the process ends.
 */
export class Terminal {
  readonly #source: TerminalSource;
  #owner: 'shell' | 'ours' | 'lent' = 'shell';
  #shown: 'nothing' | 'line' | 'frame' | 'board' = 'nothing';
  #frameRows = 0;
  /** Number of programs that may use the terminal before the board does. */
  #programs = 0;
  #stopReading = (): void => {};
  #onQuit: (() => void) | null = null;
  #board: BoardStreams | null = null;
  #suspend: Suspend | null = null;
  #title: string | null = null;
  #isTitleSaved = false;
  #hasMouse = false;
  #queriesBackground = false;
  #stopWaiting = (): void => {};
  #whenAnswered = Promise.resolve();
  readonly #lending = createSerialQueue();
  readonly #listeners: readonly (readonly [string, () => void])[];

  constructor(source: TerminalSource) {
    this.#source = source;
    const { living } = source;
    /** The default action of a signal, until the program listens for it. */
    const endedBy = (signal: NodeJS.Signals) => (): void => {
      if (living.listenerCount(signal) > 1) return;
      this.restore();
      living.kill(living.pid, signal);
    };
    const onStop = (): void => {
      if (living.listenerCount('SIGTSTP') > 1) return;
      const board = this.#board;
      this.restore();
      living.kill(living.pid, 'SIGSTOP');
      // The process has continued. A board that cannot be suspended yet keeps opening.
      if (board !== null) this.open(board);
    };
    /** Runs before other listeners that end the process, such as Ink's. */
    const restoreOn = (signal: NodeJS.Signals) => (): void => {
      this.restore();
      if (living.listenerCount(signal) === 0) living.kill(living.pid, signal);
    };
    const onAccident = (): void => {
      if (living.listenerCount('uncaughtException') === 0) this.restore();
    };
    this.#listeners = [
      ['exit', () => this.restore()],
      ['uncaughtExceptionMonitor', onAccident],
      ['SIGINT', endedBy('SIGINT')],
      ['SIGTERM', endedBy('SIGTERM')],
      ['SIGHUP', endedBy('SIGHUP')],
      ['SIGTSTP', onStop],
      ...unhandledSignals
        .filter((signal) => living.listenerCount(signal) === 0)
        .map((signal) => [signal, restoreOn(signal)] as const),
    ];
  }

  get isOurs(): boolean {
    return this.#owner === 'ours';
  }

  get hasBoard(): boolean {
    return this.#owner !== 'shell' && this.#board !== null;
  }

  get isFrameShown(): boolean {
    return this.#shown === 'frame';
  }

  /** Shows a saved screen. Restores the terminal and throws if the terminal fails. */
  showFrame(rows: readonly string[]): void {
    this.#frameRows = rows.length;
    this.#take('frame', showingSequence(rows), patienceMs);
  }

  /**
   * Shows progress in the last row of the saved screen, else on a separate line. Null removes that line. Does nothing
   * while a program may use the terminal.
   */
  tell(text: string | null): void {
    if (this.#board !== null || this.#programs > 0) return;
    if (text === null) {
      if (this.#shown === 'line') this.restore();
    } else if (this.#shown === 'frame') this.#put(`\u001b[${this.#frameRows};1H\u001b[0m\u001b[2K ${text}`);
    else if (this.#shown === 'line') this.#put(`${erasingLine}${text}`);
    else {
      try {
        // Ctrl+C must keep working at once.
        this.#take('line', `${erasingLine}${text}`, 0);
      } catch {
        // The board reports the problem with the terminal.
      }
    }
  }

  /** Calls the listener when q is pressed before there is a board. */
  onQuit(listener: (() => void) | null): void {
    this.#onQuit = listener;
  }

  /** Runs work that may use the terminal before there is a board, without a progress line. */
  async runOutsideBoard<Result>(work: () => Promise<Result>): Promise<Result> {
    this.tell(null);
    this.#programs += 1;
    try {
      return await work();
    } finally {
      this.#programs -= 1;
    }
  }

  /** Restores the terminal before something else is printed. Does nothing while the board has it. */
  restoreForOutput(): void {
    if (this.#board === null) this.restore();
  }

  /** Hands the terminal and its keys to a board. The screen stays until {@link enter}. */
  open(board: BoardStreams): void {
    this.#board = board;
    if (this.#owner === 'shell') this.#listen();
    this.#stopReading();
    this.#owner = 'ours';
    board.stdin.setRawMode?.(true);
  }

  /** Enters the board's screen, or takes over the saved screen. */
  enter(): void {
    if (this.#owner !== 'ours' || this.#shown === 'board') return;
    const before = this.#shown;
    this.#shown = 'board';
    const entering = `${before === 'line' ? erasingLine : ''}${before === 'frame' ? '' : enteringScreen}`;
    const requests = `${this.#hasMouse ? mouseOn : ''}${this.#queriesBackground ? this.#question() : ''}`;
    this.#queriesBackground = false;
    this.write(`${entering}${boardModes}${requests}${this.#titleShown()}`);
  }

  suspendWith(suspend: Suspend | null): void {
    this.#suspend = suspend;
  }

  /** Writes for the board. Does nothing while the terminal is not ours. */
  write(text: string): void {
    if (this.#owner === 'ours' && text !== '') this.#board?.stdout.write(text);
  }

  /** Shows a window title. Null restores the former one. */
  showTitle(title: string | null): void {
    if (title === this.#title || this.#board?.hasTitle !== true) return;
    this.#title = title;
    if (this.#owner === 'ours' && this.#shown === 'board') {
      this.write(title === null ? this.#titleRestored() : this.#titleShown());
    }
  }

  /** Asks the terminal for its background once, now or when the board enters its screen. */
  askBackground(): void {
    if (this.#owner === 'ours' && this.#shown === 'board') this.write(this.#question());
    else this.#queriesBackground = true;
  }

  /** The terminal has replied to all questions, including those that it does not support. */
  answered(): void {
    this.#stopWaiting();
  }

  /**
   * Waits before others get the terminal: for open answers, which they would read as typed keys, and for the last
   * frame, which a slow terminal would draw over the shell. Returns after a while if the terminal is frozen.
   */
  async whenSettled(): Promise<void> {
    await this.#whenAnswered;
    const stdout = this.#board?.stdout;
    if (stdout === undefined || (stdout.writableLength ?? 0) === 0) return;
    await new Promise<void>((resolve) => {
      stdout.write('', () => resolve());
      this.#source.setTimer(readingPatienceMs, resolve);
    });
  }

  /** Whether the terminal reports the mouse while the board has it. */
  reportMouse(isWanted: boolean): void {
    if (isWanted === this.#hasMouse) return;
    this.#hasMouse = isWanted;
    if (this.#shown === 'board') this.write(isWanted ? mouseOn : mouseOff);
  }

  /** Gives the terminal to the shell until the process continues. */
  async suspend(stopProcess: () => Promise<void>): Promise<void> {
    if (this.#owner === 'lent') await stopProcess();
    else await this.#lend('', stopProcess);
  }

  /**
   * Lends the board's terminal to work that may ask for input, one at a time.
   * @param notice printed above the program's output
   */
  async borrow<Result>(notice: string, work: () => Promise<Result>): Promise<Result> {
    return await this.#lending.run(async () => {
      if (this.#suspend === null) return await work();
      let outcome: PromiseSettledResult<Awaited<Result>> | undefined;
      const restoreInterrupts = this.#board?.passInterruptsOn();
      try {
        await this.#lend(notice, async () => {
          [outcome] = await Promise.allSettled([work()]);
        });
      } finally {
        restoreInterrupts?.();
      }
      // The board ended before it could lend the terminal.
      if (outcome === undefined) return await work();
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  /** Restores the terminal without waiting. Does nothing when the shell has it. */
  restore(): void {
    if (this.#owner === 'shell') return;
    const leaving = this.#owner === 'ours' ? this.#leaving() : '';
    this.#owner = 'shell';
    this.#shown = 'nothing';
    this.#stopReading();
    for (const [name, listener] of this.#listeners) this.#source.living.off(name, listener);
    // Raw mode first: the system would make it wait for a write to a frozen terminal. Errors mean that the terminal is
    // gone.
    tried(() => (this.#board?.stdin ?? this.#source.living.stdin).setRawMode?.(false));
    tried(() => this.#writeLast(leaving));
  }

  async #lend(notice: string, work: () => Promise<void>): Promise<void> {
    await this.#whenAnswered;
    await this.#suspend?.(async () => {
      if (this.#owner !== 'ours') return;
      const stdin = this.#board?.stdin;
      this.write(`${this.#leaving()}${notice}`);
      this.#owner = 'lent';
      stdin?.pause();
      try {
        await work();
      } finally {
        stdin?.resume();
        // The terminal may have been restored.
        if (this.hasBoard) {
          this.#owner = 'ours';
          this.#shown = 'nothing';
          this.enter();
        }
      }
    });
  }

  #take(shown: 'line' | 'frame', shows: string, readsAfterMs: number): void {
    const { living, setTimer } = this.#source;
    try {
      this.#owner = 'ours';
      this.#shown = shown;
      // First, so that a signal from here on restores the terminal.
      this.#listen();
      // Before the output: an echoed key would be written into it.
      living.stdin.setRawMode(true);
      this.#writeAll(shows);
      const cancel = setTimer(readsAfterMs, () => {
        const onInterrupt = (): void => {
          this.restore();
          living.kill(living.pid, 'SIGINT');
        };
        this.#stopReading = readKeysAhead(living.stdin, (bytes) => {
          if (bytes.includes(interrupt)) onInterrupt();
          else if (bytes.includes('q')) this.#onQuit?.();
        });
      });
      this.#stopReading = cancel;
    } catch (error) {
      this.restore();
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
      this.restore();
    }
  }

  #leaving(): string {
    if (this.#shown === 'nothing') return '';
    if (this.#shown === 'line') return erasingLine;
    return `${this.#hasMouse ? mouseOff : ''}${leavingSequence}${this.#titleRestored()}`;
  }

  #question(): string {
    this.#whenAnswered = new Promise((resolve) => {
      this.#stopWaiting = resolve;
      this.#source.setTimer(answerPatienceMs, resolve);
    });
    return backgroundQuestion;
  }

  #titleShown(): string {
    if (this.#title === null) return '';
    const saved = this.#isTitleSaved ? '' : saveTitle;
    this.#isTitleSaved = true;
    return `${saved}${titleSequence(this.#title)}`;
  }

  /** Restores once, because the next title on the stack belongs to another program. */
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

  /** Throws the terminal's error, or an error if it accepts nothing for too long. */
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

/** Reads typed keys. Returns a function that stops and puts them back. */
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

function tried(work: () => void): void {
  try {
    work();
  } catch {
    // Continue with the next step.
  }
}
