import { EventEmitter } from 'node:events';
import type { Terminal } from '../../system/terminal.ts';

/** Cells of a window. */
export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The largest window that is drawn in full: more than any screen shows at a size that can be read. A frame costs memory
 * and time by its cells, and a terminal may claim 65,535 by 65,535; what is beyond stays blank.
 */
export const largestWindow: WindowSize = { columns: 500, rows: 150 };

/** What a terminal that does not know its size is taken for. */
const usualWindow: WindowSize = { columns: 80, rows: 24 };

const within = (reported: number | undefined, usual: number, largest: number): number =>
  reported === undefined || !(reported > 0) ? usual : Math.min(reported, largest);

/** The size to draw for a window; what it reports may be nothing, 0 or absurd. */
export function drawnSize(reported: { readonly columns?: number; readonly rows?: number }): WindowSize {
  return {
    columns: within(reported.columns, usualWindow.columns, largestWindow.columns),
    rows: within(reported.rows, usualWindow.rows, largestWindow.rows),
  };
}

/** The part of a terminal's output stream that is needed. Its writes must not block. */
export type TerminalOutput = Pick<NodeJS.WriteStream, 'write' | 'on' | 'off'> & {
  readonly columns?: number;
  readonly rows?: number;
  /** Bytes that the terminal has not taken yet; absent where they are not counted. */
  readonly writableLength?: number;
};

/** What follows is left out from so many bytes on that the terminal has not taken: about a second of a slow line. */
const mostWaiting = 64 * 1024;
/** A large window takes more than that at once: bytes of a cell with its colours. */
const cellBytes = 8;

/**
 * The stream that Ink draws on: hands on what Ink writes as it is, while the terminal is ours. A terminal that takes nothing for
 * a while, as a frozen window does, costs neither memory nor a key: only the newest frame matters, so what it would have to
 * catch up with is left out, and the board is told to draw all of it when the terminal takes something again.
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

  /** @param onBehind called when the terminal takes something again, for which something was left out */
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

  /** Has Ink draw something that is not shown. */
  unseen(draw: () => void): void {
    this.#isUnseen = true;
    try {
      draw();
    } finally {
      this.#isUnseen = false;
    }
  }

  /** Does something just before Ink writes again. */
  beforeNext(prepare: () => void): void {
    this.#beforeNext = prepare;
  }

  /** Writes, or leaves it out; calls back when the terminal has taken all that was written before. */
  write(text: string, ...rest: readonly unknown[]): boolean {
    const taken = rest.find((argument) => typeof argument === 'function') as (() => void) | undefined;
    const isShown = !this.#isUnseen && this.#terminal.isOurs && !this.#isBehind;
    if (isShown && (this.#stdout.writableLength ?? 0) <= this.#mostWaiting) {
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

  get #mostWaiting(): number {
    return Math.max(mostWaiting, this.columns * this.rows * cellBytes);
  }

  readonly #catchUp = (error?: Error | null): void => {
    this.#isBehind = false;
    if (error == null && this.#terminal.isOurs) this.#onBehind();
  };
}
