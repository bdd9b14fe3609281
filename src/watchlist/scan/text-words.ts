/** A word of a line that could be a number or a group of one: ASCII letters and digits. */
export interface TextWord {
  /** In capitals. */
  readonly text: string;
  /** Whether all its letters were capitals already. */
  readonly isCapital: boolean;
  /** Where it stands in the line, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

/** Longest number that is kept, in characters; what is longer is none. */
const longestWord = 50;

/** Words of a line. One that is longer than any number is left out. */
export function wordsOfLine(line: string): readonly TextWord[] {
  const words: TextWord[] = [];
  for (const match of line.matchAll(/[A-Za-z0-9]+/g)) {
    const [text] = match;
    if (text.length > longestWord) continue;
    const upper = text.toUpperCase();
    words.push({ text: upper, isCapital: upper === text, from: match.index, to: match.index + text.length });
  }
  return words;
}

/** What joins the groups of a number as couriers print it. */
const groupSeparator = /^(?: {1,2}|-)$/;
/** Groups of the longest number, each of two characters and more. */
const mostGroups = 16;

/** Words that stand so that they can be groups of one number. */
export interface WordGroups {
  /** Without what separates them. */
  readonly text: string;
  /** As it is written. */
  readonly raw: string;
  /** How many words. */
  readonly count: number;
  /** Whether the groups are of one size, but for the first and the last. */
  readonly isEven: boolean;
}

/**
 * The numbers that may begin with a word: the word alone and together with those that follow it, longest first.
 */
export function groupsFrom(line: string, words: readonly TextWord[], index: number): readonly WordGroups[] {
  const first = words[index];
  if (first === undefined) return [];
  const groups: WordGroups[] = [{ text: first.text, raw: first.text, count: 1, isEven: true }];
  let { text } = first;
  let separator: string | null = null;
  for (let next = index + 1; next < words.length && next < index + mostGroups; next += 1) {
    const before = words[next - 1];
    const word = words[next];
    if (before === undefined || word === undefined) break;
    const between = line.slice(before.to, word.from);
    if (!groupSeparator.test(between)) break;
    // Letters that are no capitals are a word of the text.
    if (!/\d/.test(word.text) && (!word.isCapital || word.text.length > 3)) break;
    separator ??= between.trim();
    text += word.text;
    if (text.length > longestWord) break;
    const middle = words.slice(index + 1, next).map((group) => group.text.length);
    groups.push({
      text,
      raw: line.slice(first.from, word.to).toUpperCase(),
      count: next - index + 1,
      isEven: new Set(middle).size <= 1 && between.trim() === separator,
    });
  }
  return groups.reverse();
}
