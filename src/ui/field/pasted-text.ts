import { cleanText } from '../../service/text/clean-text.ts';

/** Most characters of a line that is edited. */
export const longestLine = 100_000;

/**
 * A paste in one line, with `lineSeparator` between its lines: tabs, which separate columns, become semicolons; whatever
 * else is no text is removed.
 */
export function pastedText(paste: string, lineSeparator: string): string {
  return paste
    .split(/[\r\n]+/)
    .map((line) =>
      line
        .split('\t')
        .map(cleanText)
        .join('; ')
        .replace(/[\s;]+$/, ''),
    )
    .filter((line) => line !== '')
    .join(lineSeparator);
}

/** A text of several lines as it is drawn in one, with a sign where a line ends. */
export function inOneLine(text: string): string {
  return text.replaceAll('\n', ' ⏎ ');
}
