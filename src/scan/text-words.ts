export interface TextWord {
  readonly text: string;
  readonly digits: number;
  /** Position in the line, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

const maxWordLength = 50;

/** Words with a digit, and up to four capital letters, which may be the letters at either end of a number. */
const numberWord = /(?<![A-Za-z0-9])(?=[A-Za-z]*\d|[A-Z]{1,4}(?![A-Za-z0-9]))[A-Za-z0-9]{1,50}(?![A-Za-z0-9])/g;

export const wordsOfLine = (line: string): readonly TextWord[] =>
  [...line.matchAll(numberWord)].map(({ 0: word, index }) => ({
    text: word.toUpperCase(),
    digits: word.replace(/\D+/g, '').length,
    from: index,
    to: index + word.length,
  }));

/** Adjacent words that can be the groups of one number. */
export interface WordGroups {
  readonly text: string;
  readonly raw: string;
  readonly count: number;
  readonly digits: number;
  /** Whether the groups have one size, except the first and the last, and one separator. */
  readonly isEven: boolean;
  readonly to: number;
}

/** More groups of a single character are a row of digits, not a number. */
const maxSingles = 3;

/** Returns the numbers that may start at a word, alone or with the words after it, longest first. */
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
    const between = separatorBetween(line, before.to, word.from);
    if (between === null) break;
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

function separatorBetween(line: string, from: number, to: number): ' ' | '-' | null {
  if (to - from > 2) return null;
  const code = line.charCodeAt(from);
  if (code === 45 && to - from === 1) return '-';
  return code === 32 && line.charCodeAt(to - 1) === 32 ? ' ' : null;
}
