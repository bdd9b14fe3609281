import { setTimeout as delay } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';
// A CommonJS package. Node cannot detect the names of its exports.
import xterm from '@xterm/headless';
import { applyModernWidths } from './modern-widths.ts';

/** Keys as a terminal sends them. Arrows have both forms. */
export const keys = {
  enter: '\r',
  escape: '\u001b',
  /** The form that newer terminals send. Unlike a lone escape byte, it never merges with the bytes that follow. */
  plainEscape: '\u001b[27u',
  tab: '\t',
  backspace: '\u007f',
  up: '\u001b[A',
  down: '\u001b[B',
  applicationUp: '\u001bOA',
  applicationDown: '\u001bOB',
  'ctrl+c': '\u0003',
} as const;

export type KeyName = keyof typeof keys;

export interface ProcessEnd {
  readonly code: number;
  /** Number of the signal that killed it. 0 if it ended by itself. */
  readonly signal: number;
}

export interface TerminalOptions {
  readonly size?: readonly [columns: number, rows: number];
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory?: string;
  /**
   * Draws output only on demand, because drawing would delay the timestamps of the output that follows. Such a terminal
   * does not reply to queries.
   */
  readonly drawsOnDemand?: boolean;
}

export interface Output {
  readonly bytes: Buffer;
  /** When it arrived, as `performance.now()`. */
  readonly at: number;
}

/** A process in a pseudo-terminal, and its screen. */
export interface TerminalRun {
  readonly pid: number;
  /** Resolves when the process is gone and all of its output is on the screen. */
  readonly exit: Promise<ProcessEnd>;
  /** Types all of this in one write, so that the program reads it in one piece. Returns the run, for chaining. */
  type(text: string): TerminalRun;
  press(key: KeyName): TerminalRun;
  /** Pastes text, which may have several lines, as one bracketed paste. */
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  /** The rows of the window without trailing blanks. */
  rows(): readonly string[];
  text(): string;
  /** The text in a cell. Empty for the second half of a wide character. */
  cell(column: number, row: number): string;
  /** The normal screen including its scrollback. */
  normalScreen(): string;
  isOnAlternateScreen(): boolean;
  /** Whether no row continues in the next one, and nothing scrolled off the top. */
  isUnbroken(): boolean;
  /** Bytes written so far, as a mark for `outputSince`. */
  written(): number;
  /** Everything that was written since a mark. */
  outputSince(mark: number): string;
  /** Waits until the screen matches and returns its text. On a timeout, the error shows the screen. */
  waitFor(isShown: (text: string) => boolean, what: string, timeoutMs?: number): Promise<string>;
  waitForText(text: string, timeoutMs?: number): Promise<string>;
  waitUntilGone(text: string): Promise<string>;
  /** Closes the terminal, like closing its window. */
  hangUp(): void;
  /** Stops reading, like a frozen terminal. Output fills its buffer and then blocks. */
  stopReading(): void;
  /** Continues reading. */
  resumeReading(): void;
}

/** A terminal that the caller must close. */
export interface OpenTerminal extends TerminalRun {
  /** The emulator, for tests of colours, cursor and title. */
  readonly emulator: xterm.Terminal;
  /** When the program was started, as `performance.now()`. */
  readonly startedAt: number;
  readonly output: readonly Output[];
  /** Waits for more output. Rejects if the program ends or writes nothing; the error says what was expected. */
  nextOutput(expected: string): Promise<void>;
  /** Draws the oldest output that has not been drawn yet, and returns it. Returns null if there is none. */
  drawNext(): Promise<Output | null>;
  /**
   * Ends the program and everything that it started in the terminal, with SIGKILL unless a different signal is given.
   */
  close(signal?: NodeJS.Signals): Promise<void>;
}

/** Long enough for a busy machine. */
const defaultTimeoutMs = 30_000;
const pollIntervalMs = 20;

/** Repeats `attempt` until it does not reject. Rejects with its last error after the timeout. */
async function until<Result>(attempt: () => Promise<Result>, timeoutMs: number): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
      await delay(pollIntervalMs);
    }
  }
}

/** Runs a program in a pseudo-terminal until it ends or the terminal is closed. */
export function openTerminal(file: string, args: readonly string[], options: TerminalOptions): OpenTerminal {
  const [columns, rows] = options.size ?? [120, 30];
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
  applyModernWidths(terminal);
  const startedAt = performance.now();
  const pty = spawn(file, [...args], {
    name: options.environment['TERM'] ?? 'xterm-256color',
    cols: columns,
    rows,
    cwd: options.workingDirectory ?? process.cwd(),
    env: { ...options.environment },
    // Bytes, so that they can be counted and no character is split.
    encoding: null,
  }) as IPty & { destroy(): void };
  const output: Output[] = [];
  let drawnCount = 0;
  let hasEnded = false;
  const draw = (text: string): Promise<void> => new Promise((resolve) => terminal.write(text, resolve));
  // The emulator loses a character whose bytes arrive in two chunks.
  const decoder = new TextDecoder();
  const drawNext = async (): Promise<Output | null> => {
    const next = output[drawnCount];
    if (next === undefined) return null;
    drawnCount += 1;
    await draw(decoder.decode(next.bytes, { stream: true }));
    return next;
  };
  const drawn = async (): Promise<void> => {
    while ((await drawNext()) !== null);
    await draw('');
  };
  pty.onData((data) => {
    output.push({ bytes: data as unknown as Buffer, at: performance.now() });
    if (options.drawsOnDemand !== true) void drawNext();
  });
  // The terminal's replies to queries about itself.
  terminal.onData((reply) => {
    if (!hasEnded && options.drawsOnDemand !== true) pty.write(reply);
  });
  const exit = new Promise<ProcessEnd>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      hasEnded = true;
      void drawn().then(() => resolve({ code: exitCode, signal: signal ?? 0 }));
    });
  });

  const nextOutput = (expected: string): Promise<void> => {
    const { promise, reject, resolve } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      const last = output.at(-1)?.bytes.toString() ?? '';
      reject(
        new Error(`the program did not write ${expected}; its output ends with ${JSON.stringify(last.slice(-1000))}`),
      );
    };
    const listener = pty.onData(() => resolve());
    const timer = setTimeout(giveUp, defaultTimeoutMs);
    void exit.then(giveUp);
    return promise.finally(() => {
      listener.dispose();
      clearTimeout(timer);
    });
  };

  const line = (row: number) => terminal.buffer.active.getLine(terminal.buffer.active.baseY + row);
  const screenRows = (): string[] =>
    Array.from({ length: terminal.rows }, (_, row) =>
      (line(row)?.translateToString(true, 0, terminal.cols) ?? '').trimEnd(),
    );
  const text = (): string => screenRows().join('\n');
  const waitFor: TerminalRun['waitFor'] = (isShown, what, timeoutMs = defaultTimeoutMs) =>
    until(async () => {
      await drawn();
      const shown = text();
      // A terminal shows a frame only when it is complete.
      if (terminal.modes.synchronizedOutputMode) throw new Error(`the screen is being drawn:\n${shown}`);
      if (!isShown(shown)) throw new Error(`the screen does not show ${what}:\n${shown}`);
      return shown;
    }, timeoutMs);

  const run: OpenTerminal = {
    pid: pty.pid,
    exit,
    type: (typed) => {
      pty.write(typed);
      return run;
    },
    press: (key) => run.type(keys[key]),
    paste: (pasted) => pty.write(`\u001b[200~${pasted}\u001b[201~`),
    resize(nextColumns, nextRows) {
      terminal.resize(nextColumns, nextRows);
      pty.resize(nextColumns, nextRows);
    },
    rows: screenRows,
    text,
    cell: (column, row) => line(row)?.getCell(column)?.getChars() ?? '',
    normalScreen: () => {
      const buffer = terminal.buffer.normal;
      return Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)?.translateToString(true) ?? '')
        .join('\n')
        .trimEnd();
    },
    isOnAlternateScreen: () => terminal.buffer.active.type === 'alternate',
    isUnbroken: () =>
      terminal.buffer.active.baseY === 0 &&
      Array.from({ length: terminal.rows }, (_, row) => line(row)?.isWrapped).every((isWrapped) => isWrapped !== true),
    written: () => output.reduce((sum, { bytes }) => sum + bytes.length, 0),
    outputSince: (mark) =>
      Buffer.concat(output.map(({ bytes }) => bytes))
        .subarray(mark)
        .toString('utf8'),
    waitFor,
    waitForText: (wanted, timeoutMs) => waitFor((shown) => shown.includes(wanted), `"${wanted}"`, timeoutMs),
    waitUntilGone: (unwanted) => waitFor((shown) => !shown.includes(unwanted), `no "${unwanted}"`),
    emulator: terminal,
    startedAt,
    output,
    nextOutput,
    drawNext,
    hangUp: () => pty.destroy(),
    stopReading: () => pty.pause(),
    resumeReading: () => pty.resume(),
    close: async (signal = 'SIGKILL') => {
      if (!hasEnded) {
        signalGroup(pty.pid, signal);
        const forced = setTimeout(signalGroup, defaultTimeoutMs, pty.pid, 'SIGKILL');
        await exit;
        clearTimeout(forced);
      }
      terminal.dispose();
    },
  };
  return run;
}

/** The process leads its session, so its children in the terminal end with it. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has already ended.
  }
}

export async function waitForExit(pid: number, timeoutMs = defaultTimeoutMs): Promise<void> {
  await until(async () => {
    if (isAlive(pid)) throw new Error(`process ${pid} is still alive`);
  }, timeoutMs);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** By default, a terminal shows its cursor and wraps lines. */
const onByDefault = new Set(['25', '7']);

/** Returns the private modes of the terminal that this output has changed and not restored. */
export function modesLeftOn(output: string): readonly string[] {
  const current = new Map<string, boolean>();
  for (const [, modes = '', letter] of output.matchAll(/\u001b\[\?([\d;]+)([hl])/g)) {
    for (const mode of modes.split(';')) current.set(mode, letter === 'h');
  }
  return [...current].filter(([mode, isOn]) => isOn !== onByDefault.has(mode)).map(([mode]) => mode);
}
