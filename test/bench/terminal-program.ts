import { performance } from 'node:perf_hooks';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';

/** The contents of a terminal. */
export class Screen {
  readonly #terminal: xterm.Terminal;

  constructor(columns: number, rows: number) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true });
  }

  /** The terminal itself, for its cells. */
  get terminal(): xterm.Terminal {
    return this.#terminal;
  }

  async write(output: string): Promise<void> {
    await new Promise<void>((resolve) => this.#terminal.write(output, resolve));
  }

  /** One row as text, without trailing blanks. Negative indexes count from the end. */
  row(index: number): string {
    const { buffer, rows } = this.#terminal;
    return buffer.active.getLine(index < 0 ? rows + index : index)?.translateToString(true) ?? '';
  }

  /** All rows as text. */
  get text(): string {
    return Array.from({ length: this.#terminal.rows }, (_, row) => this.row(row)).join('\n');
  }
}

export interface TerminalProgramOptions {
  readonly command: string;
  readonly arguments: readonly string[];
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

interface Chunk {
  readonly text: string;
  /** As `performance.now()`. */
  readonly at: number;
}

/** Timeout of all waits, in milliseconds. */
const patienceMs = 120_000;
/**
 * Output is drawn after this long without more output: drawing between two chunks of one frame would delay the second.
 */
const restMs = 25;

/** A program in a real pseudo-terminal. Its bytes are counted and timestamped, and drawn only on demand. */
export class TerminalProgram {
  /** When it was started, as `performance.now()`. */
  readonly startedAt: number;
  readonly #pty: IPty;
  readonly #screen: Screen;
  readonly #listeners = new Set<() => void>();
  readonly #ended: Promise<void>;
  readonly #chunks: Chunk[] = [];
  #drawnChunks = 0;
  #hasEnded = false;
  #output = '';
  #lastOutputAt: number;

  constructor({ command, arguments: programArguments, environment, columns, rows }: TerminalProgramOptions) {
    this.#screen = new Screen(columns, rows);
    this.startedAt = performance.now();
    this.#lastOutputAt = this.startedAt;
    this.#pty = spawn(command, [...programArguments], {
      name: 'xterm-256color',
      env: environment,
      cols: columns,
      rows,
    });
    this.#pty.onData((text) => {
      this.#lastOutputAt = performance.now();
      this.#output += text;
      this.#chunks.push({ text, at: this.#lastOutputAt });
      this.#tellListeners();
    });
    this.#ended = new Promise((resolve) => {
      this.#pty.onExit(() => {
        this.#hasEnded = true;
        this.#tellListeners();
        resolve();
      });
    });
  }

  get screen(): Screen {
    return this.#screen;
  }

  get processId(): number {
    return this.#pty.pid;
  }

  /** The current end of the output, for {@link waitFor} and {@link bytesSince}. */
  get position(): number {
    return this.#output.length;
  }

  /** When the last output arrived, as `performance.now()`. */
  get lastOutputAt(): number {
    return this.#lastOutputAt;
  }

  /** Bytes written since a position. */
  bytesSince(position: number): number {
    return Buffer.byteLength(this.#output.slice(position));
  }

  press(keys: string): void {
    this.#pty.write(keys);
  }

  /** Waits for a text in the raw output after a position. Returns when it arrived, as `performance.now()`. */
  async waitFor(text: string, position = 0): Promise<number> {
    const isThere = (): boolean => this.#output.includes(text, position);
    await this.#waitUntil(isThere, () => `${JSON.stringify(text)} did not come`);
    return this.#lastOutputAt;
  }

  /**
   * Waits until the screen matches. Returns when the output arrived that completed it, as `performance.now()`. Output
   * is timestamped on arrival and drawn chunk by chunk later, so that drawing does not affect the measurement.
   */
  async waitForScreen(isShown: (screen: Screen) => boolean, wish: string): Promise<number> {
    let at = this.#chunks[this.#drawnChunks - 1]?.at ?? this.startedAt;
    const giveUpAt = performance.now() + patienceMs;
    for (;;) {
      if (isShown(this.#screen)) return at;
      if (this.#drawnChunks === this.#chunks.length) {
        if (performance.now() > giveUpAt || this.#hasEnded) throw new Error(`${wish} was not shown; ${this.#ending()}`);
        await this.waitForMore();
        await this.waitUntilQuiet(restMs);
      }
      at = (await this.#drawNext())?.at ?? at;
    }
  }

  /**
   * Draws all new output chunk by chunk. Returns when the first chunk arrived after which a part of the screen did not
   * change any more, as `performance.now()`, or null if nothing has changed it.
   */
  async lastChangeOf(part: (screen: Screen) => string): Promise<number | null> {
    let before = part(this.#screen);
    let changedAt: number | null = null;
    for (let chunk = await this.#drawNext(); chunk !== null; chunk = await this.#drawNext()) {
      const now = part(this.#screen);
      if (now !== before) changedAt = chunk.at;
      before = now;
    }
    return changedAt;
  }

  async waitForMore(): Promise<void> {
    await this.#waitUntil(
      () => this.#chunks.length > this.#drawnChunks,
      () => 'Nothing more was written',
    );
  }

  async waitUntilQuiet(quietMs: number): Promise<void> {
    const giveUpAt = performance.now() + patienceMs;
    for (;;) {
      const left = this.#lastOutputAt + quietMs - performance.now();
      if (left <= 0) return;
      if (performance.now() > giveUpAt) throw new Error('The program does not stop writing.');
      await new Promise((resolve) => setTimeout(resolve, left));
    }
  }

  async draw(): Promise<Screen> {
    let chunk: Chunk | null;
    do chunk = await this.#drawNext();
    while (chunk !== null);
    return this.#screen;
  }

  async waitForEnd(): Promise<void> {
    await this.#waitUntil(
      () => this.#hasEnded,
      () => 'The program does not end',
    );
  }

  /** Ends the program like the system does, and waits for it. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#pty.kill('SIGTERM');
    const forced = setTimeout(() => this.#pty.kill('SIGKILL'), 5000);
    await this.#ended;
    clearTimeout(forced);
  }

  async #drawNext(): Promise<Chunk | null> {
    const chunk = this.#chunks[this.#drawnChunks];
    if (chunk === undefined) return null;
    await this.#screen.write(chunk.text);
    this.#drawnChunks += 1;
    return chunk;
  }

  /** Waits until output or the end of the program meets a condition. */
  async #waitUntil(isSo: () => boolean, complaint: () => string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(giveUp);
        this.#listeners.delete(listener);
      };
      const fail = (): void => {
        stop();
        reject(new Error(`${complaint()}; ${this.#ending()}`));
      };
      const listener = (): void => {
        if (isSo()) {
          stop();
          resolve();
        } else if (this.#hasEnded) {
          fail();
        }
      };
      const giveUp = setTimeout(fail, patienceMs);
      this.#listeners.add(listener);
      listener();
    });
  }

  #ending(): string {
    return `the output ends: ${JSON.stringify(this.#output.slice(-1000))}`;
  }

  #tellListeners(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
