import type { Environment } from '../../process/environment.ts';

/** Saves icon name and title on the terminal's stack, and takes them off it (XTWINOPS). tmux has such a stack for each pane. */
const saveTitle = '\u001b[22;0t';
const restoreTitle = '\u001b[23;0t';

/** Sets icon name and title; some terminals show the one on the tab, others the other. */
const titleSequence = (title: string): string => `\u001b]0;${title}\u001b\\`;

/**
 * The title of the terminal's window while the board has it. The one of before is saved with the first that is shown, and given
 * back once only: what is below it on the terminal's stack belongs to whoever put it there.
 */
export class TerminalTitle {
  readonly #write: ((sequence: string) => void) | null;
  #shown: string | null = null;
  #isTaken = false;

  /** @param write null for a terminal without a title */
  constructor(write: ((sequence: string) => void) | null) {
    this.#write = write;
  }

  /** Shows a title; writes nothing when it is shown already. With null, the one of before is given back. */
  show(title: string | null): void {
    if (title === this.#shown) return;
    this.#shown = title;
    if (title === null) this.#write?.(this.takeRestoration());
    else this.showAgain();
  }

  /** Writes the title again: for a terminal that did not take it, or after it was given back. */
  showAgain(): void {
    if (this.#shown === null || this.#write === null) return;
    this.#write(`${this.#isTaken ? '' : saveTitle}${titleSequence(this.#shown)}`);
    this.#isTaken = true;
  }

  /** What brings the title of before back, once; empty when it is there. To be written by whoever leaves the terminal. */
  takeRestoration(): string {
    const restoration = this.#isTaken ? restoreTitle : '';
    this.#isTaken = false;
    return restoration;
  }
}

/** Whether a terminal has a title: consoles have none, and what does not say what it is might print the sequence. */
export function hasTitle({ TERM = '' }: Environment, platform: string): boolean {
  return platform === 'win32' || !['', 'dumb', 'linux'].includes(TERM);
}
