import { EventEmitter } from 'node:events';
import type { Terminal } from '../../system/terminal.ts';

/** Size of a window, in cells. */
export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

/** The largest area to draw, because a terminal can report up to 65,535 by 65,535 cells. The rest stays blank. */
export const maxWindow: WindowSize = { columns: 500, rows: 150 };

/** Used if the terminal does not report its size. */
const defaultWindow: WindowSize = { columns: 80, rows: 24 };

const clampReported = (reported: number | undefined, fallback: number, max: number): number =>
  reported === undefined || !(reported > 0) ? fallback : Math.min(reported, max);

/** Returns the size to draw. Reported sizes can be missing, 0 or absurd. */
export function drawnSize(reported: { readonly columns?: number; readonly rows?: number }): WindowSize {
  return {
    columns: clampReported(reported.columns, defaultWindow.columns, maxWindow.columns),
    rows: clampReported(reported.rows, defaultWindow.rows, maxWindow.rows),
  };
}

/** An output stream whose writes do not block. */
export type TerminalOutput = Pick<NodeJS.WriteStream, 'write' | 'on' | 'off'> & {
  readonly columns?: number;
  readonly rows?: number;
  /** Bytes that the terminal has not accepted yet. Absent if unknown. */
  readonly writableLength?: number;
};

/** Frames are skipped while more bytes than this are pending, which takes about a second on a slow connection. */
const maxPendingBytes = 64 * 1024;
/** Estimated bytes per cell, including colours. A frame of a large window can exceed `maxPending`. */
const cellBytes = 8;

/**
 * The stream that Ink writes to. Passes its output on unchanged while the board owns the terminal. If the terminal
 * stops reading, skips frames until it reads again, and then asks for a redraw.
 */
export class FrameWriter extends EventEmitter<{ resize: [] }> {
  readonly isTTY = true;
  readonly writable = true;
  readonly #terminal: Pick<Terminal, 'isOurs'>;
  readonly #stdout: TerminalOutput;
  readonly #onCaughtUp: () => void;
  #isBehind = false;
  #isDiscarding = false;
  #beforeNext = (): void => {};

  /** @param onCaughtUp called when the terminal reads again after frames were skipped */
  constructor(terminal: Pick<Terminal, 'isOurs'>, stdout: TerminalOutput, onCaughtUp: () => void) {
    super();
    this.#terminal = terminal;
    this.#stdout = stdout;
    this.#onCaughtUp = onCaughtUp;
  }

  get columns(): number {
    return drawnSize(this.#stdout).columns;
  }

  get rows(): number {
    return drawnSize(this.#stdout).rows;
  }

  /** Runs `draw` and discards what Ink writes. */
  discardOutput(draw: () => void): void {
    this.#isDiscarding = true;
    try {
      draw();
    } finally {
      this.#isDiscarding = false;
    }
  }

  /** Registers a function to run before Ink's next write. */
  beforeNext(prepare: () => void): void {
    this.#beforeNext = prepare;
  }

  /** Writes or skips the text. Calls the callback once the terminal has accepted all earlier output. */
  write(text: string, ...rest: readonly unknown[]): boolean {
    const onWritten = rest.find((argument) => typeof argument === 'function') as (() => void) | undefined;
    const canWrite = !this.#isDiscarding && this.#terminal.isOurs && !this.#isBehind;
    if (canWrite && (this.#stdout.writableLength ?? 0) <= this.#maxPending) {
      const prepare = this.#beforeNext;
      this.#beforeNext = () => {};
      prepare();
      return this.#stdout.write(text, () => onWritten?.());
    }
    if (canWrite) {
      this.#isBehind = true;
      this.#stdout.write('', this.#catchUp);
    }
    if (onWritten !== undefined) queueMicrotask(onWritten);
    return true;
  }

  get #maxPending(): number {
    return Math.max(maxPendingBytes, this.columns * this.rows * cellBytes);
  }

  readonly #catchUp = (error?: Error | null): void => {
    this.#isBehind = false;
    if (error == null && this.#terminal.isOurs) this.#onCaughtUp();
  };
}
