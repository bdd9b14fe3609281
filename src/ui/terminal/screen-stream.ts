import { EventEmitter } from 'node:events';
import type { GlyphSet } from '../../board/text/line.ts';
import { inGlyphs } from '../../board/text/stand-in.ts';
import { reportFocus, reportNoFocus } from '../focus/focus-reports.ts';
import { erasesFrame, readInkFrame } from './ink-frame.ts';
import { KeptCells, rowUpdate } from './row-cells.ts';
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
const beginSynchronized = '\u001b[?2026h';
const endSynchronized = '\u001b[?2026l';
const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
const eraseBelow = '\u001b[J';

/** Where the cursor stands, from 0 on. */
interface CursorPosition {
  readonly row: number;
  readonly column: number;
}

/**
 * The stream between Ink and the terminal. It knows which rows stand on the screen, and of a frame writes what differs from
 * them, wherever they came from: a frame that is there already costs no byte. A terminal that takes nothing for a while, as a frozen window does, costs
 * neither memory nor a key: only the newest frame matters, so what it would have to catch up with is left out, and
 * `behind` is emitted when it takes something again and has to be drawn again. Size and resizing are the terminal's, as
 * far as they can be drawn. Here, behind Ink, is the one place where signs get their stand-ins: Ink adds signs of its own.
 */
export class ScreenStream extends EventEmitter<{ resize: []; behind: []; error: [Error] }> {
  readonly isTTY = true;
  readonly #terminal: TerminalOutput;
  readonly #glyphs: GlyphSet;
  #isBehind = false;
  /** Whether the terminal shows its alternate screen. */
  #isOnOwnScreen: boolean;
  /** Null while it is not known. */
  #standing: readonly string[] | null;
  readonly #cells = new KeptCells();
  /** What stood when the alternate screen was left last. */
  #left: readonly string[] | null = null;
  /** Where the cursor is shown; null while it is hidden. */
  #cursor: CursorPosition | null = null;
  /** What Ink has written of the frame that it has begun; null between two frames. */
  #begun: string | null = null;
  #erasing: string;

  /**
   * @param painted rows with their colours that stand on the alternate screen already, the cursor hidden; null where the
   * terminal is as the shell has left it
   * @param erasing what erases the row that stands there otherwise, written before anything else; empty where none does
   */
  constructor(
    terminal: TerminalOutput,
    glyphs: GlyphSet = 'symbols',
    painted: readonly string[] | null = null,
    erasing = '',
  ) {
    super();
    this.#erasing = erasing;
    this.#terminal = terminal;
    this.#glyphs = glyphs;
    this.#standing = painted;
    this.#isOnOwnScreen = painted !== null;
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

  /** The rows that stand on the alternate screen with their colours, or stood when the alternate screen was left; null where that is not known. */
  lastRows(): readonly string[] | null {
    return this.#isOnOwnScreen ? this.#standing : this.#left;
  }

  /** What erases the row that still stands where the board was to be, for whoever writes it in its place. */
  takeErasing(): string {
    const erasing = this.#erasing;
    this.#erasing = '';
    return erasing;
  }

  /** What stands on the screen is not known any more: the next frame is written whole. */
  forget(): void {
    this.#standing = null;
  }

  /** Draws a frame on the alternate screen without Ink, which takes it over when it enters that screen. */
  draw(rows: readonly string[]): void {
    const entering = this.#isOnOwnScreen ? '' : `${enterAlternateScreen}${topLeft}${hideCursor}`;
    this.#isOnOwnScreen = true;
    this.#put(`${entering}${this.#frameUpdate(rows.join('\n'))}`);
  }

  /** Gives the alternate screen up where Ink is not there to do it. */
  leave(): void {
    if (this.#isOnOwnScreen) this.write(leaveAlternateScreen);
    this.write(showCursor);
  }

  /** Writes, or leaves it out; calls back when the terminal has taken all that was written before. */
  write(text: string, ...rest: readonly unknown[]): boolean {
    const callback = rest.find((argument) => typeof argument === 'function') as (() => void) | undefined;
    if (this.#begun !== null && text !== endSynchronized) {
      this.#begun += text;
      callback?.();
      return true;
    }
    return this.#put(this.#toTerminal(text), callback);
  }

  /** What of the screen becomes something else by what Ink writes. */
  #toTerminal(text: string): string {
    if (text === beginSynchronized) {
      this.#begun = '';
      return '';
    }
    if (this.#begun !== null) {
      const frame = this.#frameUpdate(this.#begun);
      this.#begun = null;
      return frame;
    }
    if (text === enterAlternateScreen) return this.#entering();
    if (text === leaveAlternateScreen) {
      this.#isOnOwnScreen = false;
      this.#left = this.#standing;
      this.forget();
      return `${reportNoFocus}${leaveAlternateScreen}`;
    }
    if (this.#isOnOwnScreen && erasesFrame(text)) {
      this.forget();
      return `${topLeft}${eraseBelow}`;
    }
    return inGlyphs(text, this.#glyphs);
  }

  /**
   * What belongs to the alternate screen comes and goes with it, also when the terminal is lent to the shell, which would
   * take reports of the focus for keys.
   */
  #entering(): string {
    if (this.#isOnOwnScreen) return reportFocus;
    this.#isOnOwnScreen = true;
    this.#cursor = null;
    return `${enterAlternateScreen}${topLeft}${reportFocus}`;
  }

  /** What makes a frame of what stands on the screen; nothing where it stands there. */
  #frameUpdate(written: string): string {
    const frame = readInkFrame(inGlyphs(written, this.#glyphs));
    const before = this.#standing;
    // Never more than the window has, which would scroll.
    const rows = frame.rows?.slice(-this.rows) ?? before ?? [];
    const changes = rows
      .map((row, at) => rowUpdate(at, before === null ? null : (before[at] ?? ''), row, this.#cells))
      .join('');
    const isLower = rows.length < (before?.length ?? this.rows);
    const below = isLower ? `\u001b[${rows.length + 1};1H${eraseBelow}` : '';
    this.#standing = rows;
    const shown = this.#cursor;
    const { cursor } = frame;
    this.#cursor = cursor === null ? null : { row: Math.max(0, rows.length - 1 - cursor.up), column: cursor.column };
    const isMoved = shown?.row !== this.#cursor?.row || shown?.column !== this.#cursor?.column;
    if (changes === '' && below === '' && !isMoved) return '';
    const hidden = shown === null ? '' : hideCursor;
    const placed =
      this.#cursor === null ? '' : `\u001b[${this.#cursor.row + 1};${this.#cursor.column + 1}H${showCursor}`;
    return `${beginSynchronized}${hidden}${changes}${below}${placed}${endSynchronized}`;
  }

  /** Hands something to the terminal, unless it has not taken enough of what was written before. */
  #put(text: string, callback?: () => void): boolean {
    const isLeftOut = text !== '' && (this.#isBehind || this.#waiting > this.#mostWaiting);
    if (isLeftOut) this.forget();
    if (isLeftOut && !this.#isBehind) {
      this.#isBehind = true;
      this.#terminal.write('', this.#catchUp);
    }
    const written = isLeftOut || text === '' ? '' : `${this.takeErasing()}${text}`;
    return this.#terminal.write(written, () => callback?.());
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
    // What a terminal does with rows that it had to shorten is its own affair.
    this.forget();
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
