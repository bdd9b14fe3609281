import { type HeldTerminal, holdTerminal, type TerminalSource } from './hold-terminal.ts';

/** Erases a line, in which the cursor stays. */
const erasingSequence = '\r\u001b[K';

/** One line that says what the start of a board waits for, as long as nothing else stands on the terminal. */
export class StartLine {
  readonly #source: TerminalSource;
  readonly #isScreenStanding: () => boolean;
  #terminal: HeldTerminal | null = null;
  #isAside = false;

  /** @param isScreenStanding whether a frame stands on the terminal */
  constructor(source: TerminalSource, isScreenStanding: () => boolean) {
    this.#source = source;
    this.#isScreenStanding = isScreenStanding;
  }

  /**
   * Puts a text that fits into one row in the place of the one before; null takes it away. Does nothing where a frame stands,
   * and while a program has the terminal. A terminal that takes none goes without.
   */
  tell(text: string | null): void {
    if (text === null) this.giveBack();
    else if (!this.#isAside && !this.#isScreenStanding()) this.#put(`${erasingSequence}${text}`);
  }

  #put(sequence: string): void {
    if (this.#terminal?.isHeld === true) {
      this.#terminal.write(sequence);
      return;
    }
    try {
      // A Ctrl-C counts at once, as it did before the line stood.
      this.#terminal = holdTerminal(this.#source, { shows: sequence, leaves: erasingSequence, patienceMs: 0 });
    } catch {
      // The board says what is wrong with the terminal.
    }
  }

  /** Does work for which somebody else may use the terminal: meanwhile there is no line. Rejects as the work. */
  async aside<Result>(work: () => Promise<Result>): Promise<Result> {
    this.giveBack();
    this.#isAside = true;
    try {
      return await work();
    } finally {
      this.#isAside = false;
    }
  }

  /** Hands it on to the board, which has the terminal from now on: what erases it; empty where it does not stand. */
  takeOver(): string {
    if (this.#terminal?.isHeld !== true) return '';
    this.#terminal.release();
    return erasingSequence;
  }

  /** Erases it, and gives the terminal back. */
  giveBack(): void {
    this.#terminal?.giveBack();
  }
}
