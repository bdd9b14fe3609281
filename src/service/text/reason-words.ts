/** Longest reason that is quoted, in UTF-16 units. */
const longestReason = 500;

/**
 * The service's own words for why something failed, short enough to be quoted: behind them a sentence of ours says what to do,
 * and all of it is kept as one text. What is longer ends in `…`.
 * @param words as `cleanText` made them
 */
export function reasonWords(words: string): string {
  if (words.length <= longestReason) return words;
  // Not between the two halves of a character.
  const beginning = words.slice(0, longestReason - 1).replace(/[\ud800-\udbff]$/, '');
  return `${beginning.trimEnd()}…`;
}
