import type { Environment } from '../../process/environment.ts';

/** Saves icon name and title on the terminal's stack, and takes them off it (XTWINOPS). tmux has such a stack for each pane. */
const saveTitle = '\u001b[22;0t';
const restoreTitle = '\u001b[23;0t';

/** Sets icon name and title; some terminals show the one on the tab, others the other. */
const titleSequence = (title: string): string => `\u001b]0;${title}\u001b\\`;

/** The title of the terminal's window while the board has it. */
export interface TerminalTitle {
  /** Shows a title; writes nothing when it is shown already. With null, the one of before is given back. */
  show(title: string | null): void;
  /** Writes the title again, for a terminal that did not take it. */
  showAgain(): void;
  /** What brings the title of before back, once; empty when it is there. To be written by whoever leaves the terminal. */
  takeRestoration(): string;
  /** Takes the title again after it was given back. */
  resume(): void;
}

/** A title that stays as it is. */
export const untouchedTitle: TerminalTitle = {
  show: () => undefined,
  showAgain: () => undefined,
  takeRestoration: () => '',
  resume: () => undefined,
};

/**
 * Makes the title of a terminal. The one of before is saved with the first that is shown, and given back once only: what is
 * below it on the terminal's stack belongs to whoever put it there.
 */
export function createTerminalTitle(write: (sequence: string) => void): TerminalTitle {
  let shown: string | null = null;
  let isTaken = false;
  const draw = (): void => {
    if (shown === null) return;
    write(isTaken ? titleSequence(shown) : `${saveTitle}${titleSequence(shown)}`);
    isTaken = true;
  };
  const takeRestoration = (): string => {
    if (!isTaken) return '';
    isTaken = false;
    return restoreTitle;
  };
  const giveBack = (): void => {
    const restoration = takeRestoration();
    if (restoration !== '') write(restoration);
  };
  return {
    show(title) {
      if (title === shown) return;
      shown = title;
      if (title === null) giveBack();
      else draw();
    },
    showAgain: draw,
    takeRestoration,
    resume: draw,
  };
}

/** Whether a terminal has a title: consoles have none, and what does not say what it is might print the sequence. */
export function hasTitle({ TERM = '' }: Environment, platform: string): boolean {
  return platform === 'win32' || !['', 'dumb', 'linux'].includes(TERM);
}
