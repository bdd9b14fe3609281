import { EventEmitter } from 'node:events';
import type { GlyphSet } from '../../board/text/line.ts';
import { inGlyphs } from '../../board/text/stand-in.ts';
import { reportFocus, reportNoFocus } from '../focus/focus-reports.ts';
import { drawnSize } from './window-size.ts';

/** The part of a terminal's output stream that is needed. Its writes must not block. */
export type TerminalOutput = Pick<NodeJS.WriteStream, 'write' | 'on' | 'off' | 'destroyed'> & {
  readonly columns?: number;
  readonly rows?: number;
  /** Bytes that the terminal has not taken yet; none where nobody counts them. */
  readonly writableLength?: number;
};

/** What follows is left out from so many bytes on that the terminal has not taken: about a second of a slow line. */
const mostWaiting = 64 * 1024;
/** A large window takes more than that at once: bytes of a cell with its colours. */
const cellBytes = 8;

const enterAlternateScreen = '\u001b[?1049h';
const leaveAlternateScreen = '\u001b[?1049l';
const topLeft = '\u001b[H';
const endSynchronized = '\u001b[?2026l';

/**
 * The stream between Ink and the terminal. A terminal that takes nothing for a while, as a frozen window does, costs
 * neither memory nor a key: only the newest frame matters, so what it would have to catch up with is left out, and
 * `behind` is emitted when it takes something again and has to be drawn again. Size and resizing are the terminal's, as
 * far as they can be drawn. Here, behind Ink, is the one place where signs get their stand-ins: Ink adds signs of its own.
 */
export class ScreenStream extends EventEmitter<{ resize: []; behind: []; error: [Error] }> {
  readonly isTTY = true;
  readonly #terminal: TerminalOutput;
  readonly #glyphs: GlyphSet;
  #isBehind = false;

  constructor(terminal: TerminalOutput, glyphs: GlyphSet = 'symbols') {
    super();
    this.#terminal = terminal;
    this.#glyphs = glyphs;
    terminal.on('resize', this.#onResize);
    terminal.on('error', this.#onError);
  }

  get columns(): number {
    return drawnSize(this.#terminal).columns;
  }

  get rows(): number {
    return drawnSize(this.#terminal).rows;
  }

  get writable(): boolean {
    return this.#terminal.destroyed !== true;
  }

  /** Whether something was left out and the screen is not what Ink believes. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Whether the terminal has not taken all yet that was written. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Writes, or leaves it out; calls back when the terminal has taken all that was written before. */
  write(text: string, ...rest: readonly unknown[]): boolean {
    const callback = rest.find((argument) => typeof argument === 'function') as (() => void) | undefined;
    const isLeftOut = text !== '' && (this.#isBehind || this.#waiting > this.#mostWaiting);
    if (isLeftOut && !this.#isBehind) {
      this.#isBehind = true;
      this.#terminal.write('', this.#catchUp);
    }
    const taken = isLeftOut ? '' : inGlyphs(onOwnScreen(text), this.#glyphs);
    return this.#terminal.write(taken, () => callback?.());
  }

  /** Lets go of the terminal. */
  close(): void {
    this.#terminal.off('resize', this.#onResize);
    this.#terminal.off('error', this.#onError);
    this.removeAllListeners();
  }

  get #mostWaiting(): number {
    return Math.max(mostWaiting, this.columns * this.rows * cellBytes);
  }

  get #waiting(): number {
    return this.#terminal.writableLength ?? 0;
  }

  readonly #onResize = (): void => {
    this.emit('resize');
  };

  readonly #onError = (error: Error): void => {
    if (this.listenerCount('error') > 0) this.emit('error', error);
  };

  readonly #catchUp = (error?: Error | null): void => {
    if (error != null || !this.writable) return;
    this.#isBehind = false;
    // Where Ink believes the cursor to be, or below: it moves down to the last row first, and up from there.
    this.#terminal.write(`${endSynchronized}\u001b[${this.rows};1H`);
    this.emit('behind');
  };
}

/**
 * What belongs to the alternate screen comes and goes with it, also when the terminal is lent to the shell: Ink draws from
 * where the cursor stands, and a frame may be lower than the window; and the shell would take reports of the focus for keys.
 */
const onOwnScreen = (text: string): string =>
  text
    .replace(enterAlternateScreen, `${enterAlternateScreen}${topLeft}${reportFocus}`)
    .replace(leaveAlternateScreen, `${reportNoFocus}${leaveAlternateScreen}`);
