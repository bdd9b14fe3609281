export interface TextWord {
  readonly text: string;
  readonly digits: number;
  /** Where it stands in the line, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

const longestWord = 50;
const longestPrefix = 4;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isCapital = (code: number): boolean => code >= 65 && code <= 90;
const isSmall = (code: number): boolean => code >= 97 && code <= 122;

/**
 * Words of a line that hold a digit, or are capitals that may stand before or behind the digits of a number. All other
 * words, and those that are longer than any number, are left out.
 */
export function wordsOfLine(line: string): readonly TextWord[] {
  const words: TextWord[] = [];
  let from = -1;
  let digits = 0;
  let hasSmall = false;
  for (let index = 0; index <= line.length; index += 1) {
    const code = index < line.length ? line.charCodeAt(index) : 0;
    if (isDigit(code)) digits += 1;
    else if (isSmall(code)) hasSmall = true;
    else if (!isCapital(code)) {
      if (from !== -1) {
        const length = index - from;
        if (length <= longestWord && (digits > 0 || (!hasSmall && length <= longestPrefix))) {
          words.push({ text: line.slice(from, index).toUpperCase(), digits, from, to: index });
        }
        from = -1;
        digits = 0;
        hasSmall = false;
      }
      continue;
    }
    if (from === -1) from = index;
  }
  return words;
}

/** Words that stand so that they can be groups of one number. */
export interface WordGroups {
  readonly text: string;
  readonly raw: string;
  readonly count: number;
  readonly digits: number;
  /** Whether the groups are of one size, but for the first and the last, and separated alike. */
  readonly isEven: boolean;
  readonly to: number;
}

/** More groups than that of a single character are no number, but a row of digits. */
const mostSingles = 3;

/** The numbers that a word may begin: the word alone, and together with those that follow it; longest first. */
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
    if (text.length + word.text.length > longestWord) {
      // Digits in more groups than a number has are a row of something else.
      if (first.digits === first.text.length) groups.length = 1;
      break;
    }
    if (word.text.length === 1) singles += 1;
    if (singles > mostSingles) break;
    if (next > index + 1) {
      if (size === 0) size = before.text.length;
      else if (before.text.length !== size) isEven = false;
    }
    separator ??= between;
    if (between !== separator) isEven = false;
    text += word.text;
    digits += word.digits;
    const raw = separator === '-' ? line.slice(first.from, word.to).toUpperCase() : text;
    groups.push({
      text,
      raw,
      count: next - index + 1,
      digits,
      isEven,
      to: word.to,
    });
  }
  return groups.reverse();
}

function separatorBetween(line: string, from: number, to: number): ' ' | '-' | null {
  if (to - from > 2) return null;
  const code = line.charCodeAt(from);
  if (code === 45 && to - from === 1) return '-';
  return code === 32 && line.charCodeAt(to - 1) === 32 ? ' ' : null;
}
