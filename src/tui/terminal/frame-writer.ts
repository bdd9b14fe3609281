import { EventEmitter } from 'node:events';
import type { Terminal } from '../../system/terminal.ts';

/** Cells of a window. */
export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

/** Largest window that is drawn in full. A terminal can report up to 65,535 by 65,535. The rest stays blank. */
export const maxWindow: WindowSize = { columns: 500, rows: 150 };

/** Used if a terminal does not know its size. */
const defaultWindow: WindowSize = { columns: 80, rows: 24 };

const within = (reported: number | undefined, fallback: number, max: number): number =>
  reported === undefined || !(reported > 0) ? fallback : Math.min(reported, max);

/** Returns the size to draw. Reported sizes can be missing, 0 or absurd. */
export function drawnSize(reported: { readonly columns?: number; readonly rows?: number }): WindowSize {
  return {
    columns: within(reported.columns, defaultWindow.columns, maxWindow.columns),
    rows: within(reported.rows, defaultWindow.rows, maxWindow.rows),
  };
}

/** The part of an output stream that we use. Writes must not block. */
export type TerminalOutput = Pick<NodeJS.WriteStream, 'write' | 'on' | 'off'> & {
  readonly columns?: number;
  readonly rows?: number;
  /** Bytes that the terminal has not accepted yet. Absent if not counted. */
  readonly writableLength?: number;
};

/** Frames are skipped from this many pending bytes on: about a second of a slow line. */
const maxWaiting = 64 * 1024;
/** Bytes of a cell with its colours. Large windows need more. */
const cellBytes = 8;

/**
 * The stream that Ink draws on. Passes Ink's output on unchanged while the terminal is ours. If the terminal stops
 * reading, frames are skipped, and the board redraws when it reads again.
 */
export class FrameWriter extends EventEmitter<{ resize: [] }> {
  readonly isTTY = true;
  readonly writable = true;
  readonly #terminal: Pick<Terminal, 'isOurs'>;
  readonly #stdout: TerminalOutput;
  readonly #onBehind: () => void;
  #isBehind = false;
  #isUnseen = false;
  #beforeNext = (): void => {};

  /** @param onBehind called when the terminal reads again after skipped frames */
  constructor(terminal: Pick<Terminal, 'isOurs'>, stdout: TerminalOutput, onBehind: () => void) {
    super();
    this.#terminal = terminal;
    this.#stdout = stdout;
    this.#onBehind = onBehind;
  }

  get columns(): number {
    return drawnSize(this.#stdout).columns;
  }

  get rows(): number {
    return drawnSize(this.#stdout).rows;
  }

  /** Lets Ink draw without output. */
  unseen(draw: () => void): void {
    this.#isUnseen = true;
    try {
      draw();
    } finally {
      this.#isUnseen = false;
    }
  }

  /** Runs before Ink's next write. */
  beforeNext(prepare: () => void): void {
    this.#beforeNext = prepare;
  }

  /** Writes or skips. Calls back when the terminal has accepted all earlier output. */
  write(text: string, ...rest: readonly unknown[]): boolean {
    const taken = rest.find((argument) => typeof argument === 'function') as (() => void) | undefined;
    const isShown = !this.#isUnseen && this.#terminal.isOurs && !this.#isBehind;
    if (isShown && (this.#stdout.writableLength ?? 0) <= this.#maxWaiting) {
      const prepare = this.#beforeNext;
      this.#beforeNext = () => {};
      prepare();
      return this.#stdout.write(text, () => taken?.());
    }
    if (isShown) {
      this.#isBehind = true;
      this.#stdout.write('', this.#catchUp);
    }
    if (taken !== undefined) queueMicrotask(taken);
    return true;
  }

  get #maxWaiting(): number {
    return Math.max(maxWaiting, this.columns * this.rows * cellBytes);
  }

  readonly #catchUp = (error?: Error | null): void => {
    this.#isBehind = false;
    if (error == null && this.#terminal.isOurs) this.#onBehind();
  };
}
