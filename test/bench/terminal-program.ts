import { performance } from 'node:perf_hooks';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';

/** What runs in a terminal. */
export interface TerminalProgramOptions {
  /** Script and arguments for this Node. */
  readonly nodeArguments: readonly string[];
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

/** Longest wait for anything, in milliseconds. */
const patienceMs = 20_000;

/** A program in a real pseudo-terminal: its bytes are counted and dated, and drawn only when somebody looks. */
export class TerminalProgram {
  /** When it was started, as `performance.now()`. */
  readonly startedAt: number;
  readonly #pty: IPty;
  readonly #size: { readonly cols: number; readonly rows: number };
  readonly #listeners = new Set<() => void>();
  readonly #ended: Promise<void>;
  #hasEnded = false;
  #output = '';
  #lastOutputAt: number;

  constructor({ nodeArguments, environment, columns, rows }: TerminalProgramOptions) {
    this.#size = { cols: columns, rows };
    this.startedAt = performance.now();
    this.#lastOutputAt = this.startedAt;
    this.#pty = spawn(process.execPath, [...nodeArguments], {
      name: 'xterm-256color',
      env: environment,
      ...this.#size,
    });
    this.#pty.onData((text) => {
      this.#lastOutputAt = performance.now();
      this.#output += text;
      for (const listener of [...this.#listeners]) listener();
    });
    this.#ended = new Promise((resolve) => {
      this.#pty.onExit(() => {
        this.#hasEnded = true;
        for (const listener of [...this.#listeners]) listener();
        resolve();
      });
    });
  }

  /** Where the output ends now; hand it to {@link waitFor} and {@link bytesSince}. */
  get position(): number {
    return this.#output.length;
  }

  /** When the last output came, as `performance.now()`. */
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

  /** Waits for a text in the raw output after a position; answers when it came, as `performance.now()`. */
  async waitFor(text: string, position = 0): Promise<number> {
    const isThere = (): boolean => this.#output.includes(text, position);
    return await new Promise((resolve, reject) => {
      const fail = (): void => {
        stop();
        reject(new Error(`${JSON.stringify(text)} did not come; the output ends: ${this.#output.slice(-2000)}`));
      };
      const listener = (): void => {
        if (isThere()) {
          stop();
          resolve(this.#lastOutputAt);
        } else if (this.#hasEnded) {
          fail();
        }
      };
      const giveUp = setTimeout(fail, patienceMs);
      const stop = (): void => {
        clearTimeout(giveUp);
        this.#listeners.delete(listener);
      };
      this.#listeners.add(listener);
      listener();
    });
  }

  /** Waits until nothing has been written for some time. */
  async waitUntilQuiet(quietMs: number): Promise<void> {
    const giveUpAt = performance.now() + patienceMs;
    for (;;) {
      const left = this.#lastOutputAt + quietMs - performance.now();
      if (left <= 0) return;
      if (performance.now() > giveUpAt) throw new Error('The program does not stop writing.');
      await new Promise((resolve) => setTimeout(resolve, left));
    }
  }

  /** Draws everything written so far. */
  async draw(): Promise<xterm.Terminal> {
    const terminal = new xterm.Terminal({ ...this.#size, scrollback: 0, allowProposedApi: true });
    await new Promise<void>((resolve) => terminal.write(this.#output, resolve));
    return terminal;
  }

  /** All rows as text. */
  async screen(): Promise<string> {
    const { buffer, rows } = await this.draw();
    return Array.from({ length: rows }, (_, row) => buffer.active.getLine(row)?.translateToString(true) ?? '').join(
      '\n',
    );
  }

  /** Ends the program as the system does, and waits for it. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#pty.kill('SIGTERM');
    const forced = setTimeout(() => this.#pty.kill('SIGKILL'), 5000);
    await this.#ended;
    clearTimeout(forced);
  }
}
