import type { TerminalReader } from './hold-terminal.ts';
import type { ShownScreen } from './show-kept-screen.ts';

/** Cells of the window for which rows were made. */
export interface DrawnWindow {
  readonly columns: number;
  readonly rows: number;
}

/** What stands on the terminal before the board has it. */
export class ScreenAhead implements Omit<ShownScreen, 'draw'> {
  readonly #begin: (rows: readonly string[]) => ShownScreen;
  #shown: ShownScreen | null;
  #drawnIn: DrawnWindow | null = null;

  /**
   * @param shown what the launcher has shown; null for nothing
   * @param begin shows something where nothing stands; throws when the terminal does
   */
  constructor(shown: ShownScreen | null, begin: (rows: readonly string[]) => ShownScreen) {
    this.#shown = shown;
    this.#begin = begin;
  }

  get isStanding(): boolean {
    return this.#shown?.isStanding ?? false;
  }

  /** The size of the window for which rows were drawn; null where at most what the launcher has shown stands. */
  get drawnIn(): DrawnWindow | null {
    return this.#drawnIn;
  }

  /** Shows the rows of a window of a size, in the place of others if some stand, or all anew. A terminal that takes none goes without. */
  draw(rows: readonly string[], size: DrawnWindow, isAnew = false): void {
    this.#drawnIn = size;
    if (this.#shown?.isStanding === true) {
      this.#shown.draw(rows, isAnew);
      return;
    }
    try {
      this.#shown = this.#begin(rows);
    } catch {
      // The board says what is wrong with the terminal.
    }
  }

  /** Lets somebody read what is typed, as long as something stands. */
  read(reader: TerminalReader): void {
    this.#shown?.read(reader);
  }

  takeOver(): readonly string[] | null {
    return this.#shown?.takeOver() ?? null;
  }

  giveBack(): void {
    this.#shown?.giveBack();
  }
}
