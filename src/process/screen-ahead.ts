import { type HeldTerminal, holdTerminal, type TerminalReader, type TerminalSource } from './hold-terminal.ts';
import { erasingSequence, leavingSequence, redrawingSequence, showingSequence } from './kept-screen.ts';

/** Cells of the window for which rows were made. */
export interface DrawnWindow {
  readonly columns: number;
  readonly rows: number;
}

/**
 * How long keys are left to wait in the system, which hands them to the shell where the program fails, in milliseconds. Then
 * they are looked through for a Ctrl-C, which the terminal makes no signal of any more.
 */
const patienceMs = 1000;

/**
 * What stands before the board has the terminal: rows on the alternate screen, while keys are taken without being shown.
 * Nothing at first.
 */
export class ScreenAhead {
  readonly #source: TerminalSource;
  #terminal: HeldTerminal | null = null;
  #rows: readonly string[] = [];
  /** The terminal's own size when the rows were written. */
  #window: DrawnWindow | null = null;
  #drawnIn: DrawnWindow | null = null;

  constructor(source: TerminalSource) {
    this.#source = source;
  }

  /** False before anything is shown, and once it was handed on or the terminal was given back. */
  get isStanding(): boolean {
    return this.#terminal?.isHeld ?? false;
  }

  /** The size of the window for which rows were drawn; null where at most what the launcher has shown stands. */
  get drawnIn(): DrawnWindow | null {
    return this.#drawnIn;
  }

  /** Shows rows where none stand. Throws what the terminal throws, which has been given back then. */
  begin(rows: readonly string[]): void {
    this.#noteWindow();
    this.#terminal = holdTerminal(this.#source, { shows: showingSequence(rows), leaves: leavingSequence, patienceMs });
    this.#rows = rows;
  }

  /**
   * Shows the rows of a window of a size, in the place of others if some stand, or all anew. A terminal that takes none goes without.
   * @param isAnew draws all of them, as it does where the window has changed
   */
  draw(rows: readonly string[], size: DrawnWindow, isAnew = false): void {
    this.#drawnIn = size;
    if (this.#terminal?.isHeld === true) {
      const isWhole = isAnew || this.#isResized();
      this.#noteWindow();
      const sequence = isWhole ? `${erasingSequence}${showingSequence(rows)}` : redrawingSequence(this.#rows, rows);
      if (this.#terminal.write(sequence)) this.#rows = rows;
      return;
    }
    try {
      this.begin(rows);
    } catch {
      // The board says what is wrong with the terminal.
    }
  }

  /** Lets somebody read what is typed, as long as something stands. */
  read(reader: TerminalReader): void {
    this.#terminal?.read(reader);
  }

  /** Hands it on to the board, which has the terminal from now on: the rows that stand; null when none do. */
  takeOver(): readonly string[] | null {
    if (this.#terminal?.isHeld !== true) return null;
    if (this.#isResized()) {
      this.giveBack();
      return null;
    }
    this.#terminal.release();
    return this.#rows;
  }

  /** Gives the terminal back, for whatever else wants to use it; does nothing when nothing stands. */
  giveBack(): void {
    this.#terminal?.giveBack();
  }

  #noteWindow(): void {
    const { columns, rows } = this.#source.living.stdout;
    this.#window = { columns, rows };
  }

  #isResized(): boolean {
    const { columns, rows } = this.#source.living.stdout;
    return this.#window?.columns !== columns || this.#window.rows !== rows;
  }
}
