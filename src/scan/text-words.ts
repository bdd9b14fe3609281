export interface TextWord {
  readonly text: string;
  readonly digits: number;
  /** Position in the line, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

const maxWordLength = 50;

/** Words with a digit, or of up to four capital letters, which may be at either end of a number. */
const numberWord = /(?<![A-Za-z0-9])(?=[A-Za-z]*\d|[A-Z]{1,4}(?![A-Za-z0-9]))[A-Za-z0-9]{1,50}(?![A-Za-z0-9])/g;

export const wordsOfLine = (line: string): readonly TextWord[] =>
  [...line.matchAll(numberWord)].map(({ 0: word, index }) => ({
    text: word.toUpperCase(),
    digits: word.replace(/\D+/g, '').length,
    from: index,
    to: index + word.length,
  }));

/** Adjacent words that may be the groups of one number. */
export interface WordGroups {
  readonly text: string;
  readonly raw: string;
  readonly count: number;
  readonly digits: number;
  /** Whether all separators are the same, and all groups except the first and the last have the same size. */
  readonly isEven: boolean;
  readonly to: number;
}

/** If there are more groups of a single character, they are a row of digits, not a number. */
const maxSingles = 3;

/** Returns the numbers that may start at a word, longest first. They can include the words after it. */
export function groupsFrom(line: string, words: readonly TextWord[], index: number): readonly WordGroups[] {
  const first = words[index];
  if (first === undefined) return [];
  const groups: WordGroups[] = [{ ...first, raw: first.text, count: 1, isEven: true }];
  let { digits, text } = first;
  let singles = text.length === 1 ? 1 : 0;
  let separator: string | null = null;
  let isEven = true;
  let size = 0;
  for (let next = index + 1; next < words.length; next += 1) {
    const before = words[next - 1];
    const word = words[next];
    if (before === undefined || word === undefined) break;
    const between = line.slice(before.to, word.from).replace('  ', ' ');
    if (between !== ' ' && between !== '-') break;
    if (text.length + word.text.length > maxWordLength) {
      if (first.digits === first.text.length) groups.length = 1;
      break;
    }
    if (word.text.length === 1) singles += 1;
    if (singles > maxSingles) break;
    if (next > index + 1) {
      if (size === 0) size = before.text.length;
      else if (before.text.length !== size) isEven = false;
    }
    separator ??= between;
    if (between !== separator) isEven = false;
    text += word.text;
    digits += word.digits;
    const raw = separator === '-' ? line.slice(first.from, word.to).toUpperCase() : text;
    groups.push({ text, raw, count: next - index + 1, digits, isEven, to: word.to });
  }
  return groups.reverse();
}
