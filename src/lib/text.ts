export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** ASCII in which folding changes nothing but the case. */
const usual = /^(?:[!-~]+(?: (?=[!-~]))?)*$/;

export function fold(text: string): string {
  if (usual.test(text)) return text.toLowerCase();
  return (
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]+/g, '')
      .normalize('NFKC')
      // Upper case first: it opens ß into ss. Greek has one capital for both forms of sigma.
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** ASCII letters in capitals. Other letters stay: "ß" in capitals would be "SS", and another parcel's number. */
export function foldNumber(trackNo: string): string {
  // Nearly all are in capitals, and to find that out takes less than to look for other letters.
  if (trackNo.toUpperCase() === trackNo) return trackNo;
  return trackNo.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

export function isSameNumber(a: string, b: string): boolean {
  return a === b || (a.length === b.length && foldNumber(a) === foldNumber(b));
}

/**
 * The known word with the fewest wrong, missing, surplus or swapped letters, at most a third of it; null when none is
 * near.
 */
export function nearestWord(typed: string, known: Iterable<string>): string | null {
  const wanted = [...typed.toLowerCase()];
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const word of known) {
    const letters = [...word.toLowerCase()];
    const most = Math.max(1, Math.floor(Math.max(wanted.length, letters.length) / 3));
    // Of a word that is longer or shorter so many letters are wrong at least.
    if (Math.abs(wanted.length - letters.length) > Math.min(most, least - 1)) continue;
    const wrong = lettersWrong(wanted, letters);
    if (wrong < least && wrong <= most) {
      nearest = word;
      least = wrong;
    }
  }
  return nearest;
}

export function didYouMean(typed: string, known: Iterable<string>): string {
  const meant = nearestWord(typed, known);
  return meant === null ? '' : ` Did you mean ${meant}?`;
}

function lettersWrong(left: readonly string[], right: readonly string[]): number {
  let [before, above]: [number[], number[]] = [[], Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (const [row, letter] of left.entries()) {
    const current = [row + 1];
    for (const [column, other] of right.entries()) {
      const replaced = (above[column] ?? 0) + (letter === other ? 0 : 1);
      const cheapest = Math.min(replaced, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1);
      const isSwap = row > 0 && column > 0 && letter === right[column - 1] && left[row - 1] === other;
      current.push(isSwap ? Math.min(cheapest, (before[column - 1] ?? 0) + 1) : cheapest);
    }
    [before, above] = [above, current];
  }
  return above[right.length] ?? 0;
}

/** Longest reason that is quoted, in UTF-16 units. */
const longestReason = 500;

/** The service's reason cut to a length that can be quoted. @param words as `cleanText` made them */
export function reasonWords(words: string): string {
  if (words.length <= longestReason) return words;
  // Not between the two halves of a character.
  const beginning = words.slice(0, longestReason - 1).replace(/[\ud800-\udbff]$/, '');
  return `${beginning.trimEnd()}…`;
}

/** An address at the beginning of a sentence, or behind "in": not one that is to be typed, as in a command. */
const addressOfDatabase = /(^|[.!?] |\bin )postgres(?:ql)?:\/\/\S*[^\s.,:;]/gu;

export function withoutAddress(text: string): string {
  return text.replace(addressOfDatabase, (_, before: string) =>
    before === 'in ' ? 'in the database' : `${before}The database`,
  );
}
