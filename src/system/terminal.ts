import { createSerialQueue } from '../lib/async.ts';
import { type FilesAtStart, frameSequence, type StartingProcess } from './saved-screen.ts';

export interface TerminalSource {
  readonly currentProcess: StartingProcess;
  readonly files: Pick<FilesAtStart, 'writeSync'>;
  /** Sets a timer that does not keep the process alive. Returns a function that cancels it. */
  readonly setTimer: (milliseconds: number, callback: () => void) => () => void;
  /** Blocks the process for this long. */
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
  /** Writes once a frozen terminal continues, even after this process has ended. */
  readonly writeLater: (text: string) => void;
  /** Leaves Ctrl+C to a child process. Returns a function that restores our handling. */
  readonly passInterruptsOn: () => () => void;
  readonly hasTitle: boolean;
}

/** Releases the keys and the screen, does the work, and takes both back. */
type Suspend = (work: () => Promise<void>) => Promise<void>;

/**
 * How long typed keys stay with the system while a saved screen is shown, in milliseconds. If the program fails in this
 * time, the shell receives them. Afterwards, they are read to detect Ctrl+C, which raises no signal in raw mode.
 */
const readAheadDelayMs = 1000;
/** How long a non-blocking terminal may take to accept a frame, in milliseconds. */
const writeTimeoutMs = 200;

const ctrlC = 3;

/** Signals that end the process, unless a preloaded module or a Node option listens for them. */
const unhandledSignals = ['SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGUSR2', 'SIGXCPU'] as const;

const eraseLine = '\r\u001b[K';
const enterScreen = '\u001b[?1049h\u001b[0m\u001b[H';
const boardModes = '\u001b[?25l\u001b[?2004h\u001b[?1004h';
/**
 * Ends the frame, enables wrapping, disables paste and focus reports, and restores the normal screen and the cursor.
 */
export const restoreSequence = '\u001b[?2026l\u001b[?7h\u001b[?2004l\u001b[?1004l\u001b[?1049l\u001b[?25h';
/** Enables reports of mouse buttons and the wheel (1000) in the SGR format (1006). */
const mouseOn = '\u001b[?1000h\u001b[?1006h';
const mouseOff = '\u001b[?1006l\u001b[?1000l';
/**
 * Terminals that support OSC 11 reply with their background colour. All terminals reply to DA1, and replies arrive in
 * order, so the reply to DA1 is the last one.
 */
const backgroundQuery = '\u001b]11;?\u001b\\\u001b[c';
/** How long the reply to DA1 may take, in milliseconds. */
const replyTimeoutMs = 2000;
/** How long a slow terminal may take to read the last frame, in milliseconds. */
const drainTimeoutMs = 500;
/** Cancels a sequence that a frozen terminal has only partly received. */
const cancelSequence = '\u0018';

/** Saves and restores the title on the terminal's title stack (XTWINOPS), or in tmux on the pane's. */
const saveTitle = '\u001b[22;0t';
const restoreTitle = '\u001b[23;0t';
/** Sets both the icon name and the title, because terminals show one or the other on a tab. */
const titleSequence = (title: string): string => `\u001b]0;${title}\u001b\\`;

/**
 * Manages the terminal, which belongs to the shell, to us (for a progress line, a saved screen or a board), or to a
 * child process. Created by the launcher. Restores the terminal no matter how the process ends.
 */
export class Terminal {
  readonly #source: TerminalSource;
  #owner: 'shell' | 'ours' | 'lent' = 'shell';
  #content: 'nothing' | 'line' | 'frame' | 'board' = 'nothing';
  #frameRows = 0;
  /** Number of running programs that may use the terminal before there is a board. */
  #programs = 0;
  #stopReading = (): void => {};
  #onQuit: (() => void) | null = null;
  #board: BoardStreams | null = null;
  #suspend: Suspend | null = null;
  #title: string | null = null;
  #isTitleSaved = false;
  #hasMouse = false;
  #queriesBackground = false;
  #resolveReplies = (): void => {};
  #pendingReplies = Promise.resolve();
  readonly #lending = createSerialQueue();
  readonly #listeners: readonly (readonly [string, () => void])[];

  constructor(source: TerminalSource) {
    this.#source = source;
    const { currentProcess } = source;
    /** Restores the terminal and ends the process, until the program itself listens for the signal. */
    const endOn = (signal: NodeJS.Signals) => (): void => {
      if (currentProcess.listenerCount(signal) > 1) return;
      this.restore();
      currentProcess.kill(currentProcess.pid, signal);
    };
    const onStop = (): void => {
      if (currentProcess.listenerCount('SIGTSTP') > 1) return;
      const board = this.#board;
      this.restore();
      currentProcess.kill(currentProcess.pid, 'SIGSTOP');
      // The process continues here. A board that could not be suspended yet opens again.
      if (board !== null) this.open(board);
    };
    /** Runs before other listeners that end the process, such as Ink's. */
    const restoreOn = (signal: NodeJS.Signals) => (): void => {
      this.restore();
      if (currentProcess.listenerCount(signal) === 0) currentProcess.kill(currentProcess.pid, signal);
    };
    const onUncaught = (): void => {
      if (currentProcess.listenerCount('uncaughtException') === 0) this.restore();
    };
    this.#listeners = [
      ['exit', () => this.restore()],
      ['uncaughtExceptionMonitor', onUncaught],
      ['SIGINT', endOn('SIGINT')],
      ['SIGTERM', endOn('SIGTERM')],
      ['SIGHUP', endOn('SIGHUP')],
      ['SIGTSTP', onStop],
      ...unhandledSignals
        .filter((signal) => currentProcess.listenerCount(signal) === 0)
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
    return this.#content === 'frame';
  }

  /** Shows a saved screen. Restores the terminal and throws if the terminal fails. */
  showFrame(rows: readonly string[]): void {
    this.#frameRows = rows.length;
    this.#take('frame', frameSequence(rows), readAheadDelayMs);
  }

  /**
   * Shows progress in the last row of the saved screen, or on a line of its own if there isn't one. Null removes that
   * line. Does nothing while a program may use the terminal.
   */
  showProgress(text: string | null): void {
    if (this.#board !== null || this.#programs > 0) return;
    if (text === null) {
      if (this.#content === 'line') this.restore();
    } else if (this.#content === 'frame')
      this.#writeOrRestore(`\u001b[${this.#frameRows};1H\u001b[0m\u001b[2K ${text}`);
    else if (this.#content === 'line') this.#writeOrRestore(`${eraseLine}${text}`);
    else {
      try {
        // Ctrl+C must work immediately.
        this.#take('line', `${eraseLine}${text}`, 0);
      } catch {
        // The board will report the problem with the terminal.
      }
    }
  }

  /** Sets the listener for a `q` that is pressed before there is a board. */
  onQuit(listener: (() => void) | null): void {
    this.#onQuit = listener;
  }

  /** Runs work that may use the terminal before there is a board, without a progress line. */
  async runOutsideBoard<Result>(work: () => Promise<Result>): Promise<Result> {
    this.showProgress(null);
    this.#programs += 1;
    try {
      return await work();
    } finally {
      this.#programs -= 1;
    }
  }

  /** Restores the terminal before other output is printed. Does nothing while the board has the terminal. */
  restoreForOutput(): void {
    if (this.#board === null) this.restore();
  }

  /** Hands the terminal and its keys to a board. The screen does not change until {@link enter}. */
  open(board: BoardStreams): void {
    this.#board = board;
    if (this.#owner === 'shell') this.#listen();
    this.#stopReading();
    this.#owner = 'ours';
    board.stdin.setRawMode?.(true);
  }

  /** Switches to the board's screen, or takes over the saved screen. */
  enter(): void {
    if (this.#owner !== 'ours' || this.#content === 'board') return;
    const previous = this.#content;
    this.#content = 'board';
    const transition = `${previous === 'line' ? eraseLine : ''}${previous === 'frame' ? '' : enterScreen}`;
    const requests = `${this.#hasMouse ? mouseOn : ''}${this.#queriesBackground ? this.#backgroundQuery() : ''}`;
    this.#queriesBackground = false;
    this.write(`${transition}${boardModes}${requests}${this.#titleSequence()}`);
  }

  suspendWith(suspend: Suspend | null): void {
    this.#suspend = suspend;
  }

  /** Writes for the board. Does nothing unless the terminal is ours. */
  write(text: string): void {
    if (this.#owner === 'ours' && text !== '') this.#board?.stdout.write(text);
  }

  /** Sets the window title. Null restores the previous one. */
  showTitle(title: string | null): void {
    if (title === this.#title || this.#board?.hasTitle !== true) return;
    this.#title = title;
    if (this.#owner === 'ours' && this.#content === 'board') {
      this.write(title === null ? this.#restoreTitleSequence() : this.#titleSequence());
    }
  }

  /** Asks the terminal for its background colour, now or when the board's screen appears. */
  queryBackground(): void {
    if (this.#owner === 'ours' && this.#content === 'board') this.write(this.#backgroundQuery());
    else this.#queriesBackground = true;
  }

  /** Must be called when the terminal has replied to all queries. */
  finishQueries(): void {
    this.#resolveReplies();
  }

  /**
   * Waits before another program gets the terminal: for pending replies, which that program would read as typed keys,
   * and for the last frame, which a slow terminal would draw over the shell. Gives up if the terminal is frozen.
   */
  async whenSettled(): Promise<void> {
    await this.#pendingReplies;
    const stdout = this.#board?.stdout;
    if (stdout === undefined || (stdout.writableLength ?? 0) === 0) return;
    await new Promise<void>((resolve) => {
      stdout.write('', () => resolve());
      this.#source.setTimer(drainTimeoutMs, resolve);
    });
  }

  /** Turns mouse reports on or off, for as long as the board has the terminal. */
  reportMouse(isEnabled: boolean): void {
    if (isEnabled === this.#hasMouse) return;
    this.#hasMouse = isEnabled;
    if (this.#content === 'board') this.write(isEnabled ? mouseOn : mouseOff);
  }

  /** Returns the terminal to the shell until the process continues. */
  async suspend(stopProcess: () => Promise<void>): Promise<void> {
    if (this.#owner === 'lent') await stopProcess();
    else await this.#lend('', stopProcess);
  }

  /**
   * Lends the board's terminal to a program that may ask for input. Only one program gets it at a time.
   * @param notice printed above the output of the program
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
      // The board ended before it could release the terminal.
      if (outcome === undefined) return await work();
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  /** Restores the terminal without waiting. Does nothing if the shell already has it. */
  restore(): void {
    if (this.#owner === 'shell') return;
    const leaving = this.#owner === 'ours' ? this.#leaveSequence() : '';
    this.#owner = 'shell';
    this.#content = 'nothing';
    this.#stopReading();
    for (const [name, listener] of this.#listeners) this.#source.currentProcess.off(name, listener);
    // Raw mode is turned off first, because after a write to a frozen terminal, that call would block. Errors mean that
    // the terminal is gone.
    ignoreErrors(() => (this.#board?.stdin ?? this.#source.currentProcess.stdin).setRawMode?.(false));
    ignoreErrors(() => this.#writeLast(leaving));
  }

  async #lend(notice: string, work: () => Promise<void>): Promise<void> {
    await this.#pendingReplies;
    await this.#suspend?.(async () => {
      if (this.#owner !== 'ours') return;
      const stdin = this.#board?.stdin;
      this.write(`${this.#leaveSequence()}${notice}`);
      this.#owner = 'lent';
      stdin?.pause();
      try {
        await work();
      } finally {
        stdin?.resume();
        // The terminal may have been restored since.
        if (this.hasBoard) {
          this.#owner = 'ours';
          this.#content = 'nothing';
          this.enter();
        }
      }
    });
  }

  #take(content: 'line' | 'frame', text: string, readDelayMs: number): void {
    const { currentProcess, setTimer } = this.#source;
    try {
      this.#owner = 'ours';
      this.#content = content;
      // Must come first, so that a signal restores the terminal from here on.
      this.#listen();
      // Must come before the output, into which the terminal would echo typed keys.
      currentProcess.stdin.setRawMode(true);
      this.#writeAll(text);
      const cancel = setTimer(readDelayMs, () => {
        const onInterrupt = (): void => {
          this.restore();
          currentProcess.kill(currentProcess.pid, 'SIGINT');
        };
        this.#stopReading = readKeysAhead(currentProcess.stdin, (bytes) => {
          if (bytes.includes(ctrlC)) onInterrupt();
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
    for (const [name, listener] of this.#listeners) this.#source.currentProcess.on(name, listener);
  }

  #writeOrRestore(text: string): void {
    try {
      this.#writeAll(text);
    } catch {
      this.restore();
    }
  }

  #leaveSequence(): string {
    if (this.#content === 'nothing') return '';
    if (this.#content === 'line') return eraseLine;
    return `${this.#hasMouse ? mouseOff : ''}${restoreSequence}${this.#restoreTitleSequence()}`;
  }

  #backgroundQuery(): string {
    this.#pendingReplies = new Promise((resolve) => {
      this.#resolveReplies = resolve;
      this.#source.setTimer(replyTimeoutMs, resolve);
    });
    return backgroundQuery;
  }

  #titleSequence(): string {
    if (this.#title === null) return '';
    const saved = this.#isTitleSaved ? '' : saveTitle;
    this.#isTitleSaved = true;
    return `${saved}${titleSequence(this.#title)}`;
  }

  /** Restores the title only once, because the next one on the stack belongs to a different program. */
  #restoreTitleSequence(): string {
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

  /** Throws if the terminal fails, or does not accept the text in time. */
  #writeAll(text: string): void {
    const { files, pause } = this.#source;
    let waits = 0;
    for (let rest = Buffer.from(text, 'utf8'); rest.length > 0; ) {
      try {
        rest = rest.subarray(files.writeSync(1, rest));
      } catch (error) {
        waits += 1;
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waits > writeTimeoutMs) throw error;
        pause(1);
      }
    }
  }
}

/** Reads typed keys. Returns a function that stops this and puts the keys back into the stream. */
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

function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The next step must still run.
  }
}
