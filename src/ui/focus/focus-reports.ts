/** What a terminal reports when it gets and loses the focus (DECSET 1004); tmux passes it on with its option `focus-events`. */
const focusIn = '\u001b[I';
const focusOut = '\u001b[O';
const anyReport = /\u001b\[([IO])/g;

/** What a sequence of the terminal reports: whether it has the focus; null for one that reports nothing of the kind. */
export function focusReportOf(sequence: string): boolean | null {
  if (sequence === focusIn) return true;
  return sequence === focusOut ? false : null;
}

/** A text that came from the terminal in one piece, without the reports that came in its middle. */
export interface TextWithoutReports {
  readonly text: string;
  /** What the last of them reports; null when there was none. */
  readonly isFocused: boolean | null;
}

/** Takes the reports out of a text. */
export function withoutFocusReports(text: string): TextWithoutReports {
  const last = [...text.matchAll(anyReport)].at(-1)?.[1];
  if (last === undefined) return { text, isFocused: null };
  return { text: text.replace(anyReport, ''), isFocused: last === 'I' };
}
