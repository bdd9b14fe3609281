import { confirmThreshold } from '../../watchlist/rules/confirmation-thresholds.ts';
import type { TextEntry } from '../input/entered-text.ts';

/**
 * What is done with a pasted text: `bar` puts it into the input bar, as few plain numbers or a line of words are; `rows` shows its
 * entries before any is added, since they are many; `scan` looks for numbers in it, since it is more than numbers.
 */
export type PastedTextKind = 'bar' | 'rows' | 'scan';

/** Fewer digits than this make no number. */
const fewestDigits = 5;

/**
 * Tells what a pasted text is by what it would be if it were entered.
 * @param isListOpen whether the list of found numbers is open, behind which nothing goes to the bar
 */
export function pastedTextKind(text: string, entries: readonly TextEntry[], isListOpen = false): PastedTextKind {
  if (entries.every(({ input }) => input.kind === 'ok')) {
    return isListOpen || entries.length > confirmThreshold.board ? 'rows' : 'bar';
  }
  const digits = text.match(/\d/g)?.length ?? 0;
  return !isListOpen && digits < fewestDigits && !text.includes('\n') ? 'bar' : 'scan';
}
