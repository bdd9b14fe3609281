export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * ASCII text that folding only converts to lower case. The space between words is not optional, because an optional
 * separator would double the matching time with every letter.
 */
const plainAscii = /^(?:[!-~]+(?: [!-~]+)*)?$/;

export function fold(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase();
  return (
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]+/g, '')
      .normalize('NFKC')
      // Upper case first, which turns ß into SS. Greek has two lower-case sigmas.
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** Converts ASCII letters to upper case. Leaves other letters alone: "ß" would become "SS", a different number. */
export function foldNumber(trackNo: string): string {
  if (trackNo.toUpperCase() === trackNo) return trackNo;
  return trackNo.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

export function isSameNumber(a: string, b: string): boolean {
  return a === b || (a.length === b.length && foldNumber(a) === foldNumber(b));
}

/**
 * Returns the known word closest to what was typed, counting wrong, missing, extra and swapped letters, or null if more
 * than a third of the letters are off.
 */
export function nearestWord(input: string, known: Iterable<string>): string | null {
  const inputLetters = [...input.toLowerCase()];
  let nearest: string | null = null;
  let smallest = Number.POSITIVE_INFINITY;
  for (const word of known) {
    const letters = [...word.toLowerCase()];
    const maxDistance = Math.max(1, Math.floor(Math.max(inputLetters.length, letters.length) / 3));
    if (Math.abs(inputLetters.length - letters.length) > Math.min(maxDistance, smallest - 1)) continue;
    const distance = editDistance(inputLetters, letters);
    if (distance < smallest && distance <= maxDistance) {
      nearest = word;
      smallest = distance;
    }
  }
  return nearest;
}

export function didYouMean(input: string, known: Iterable<string>): string {
  const nearest = nearestWord(input, known);
  return nearest === null ? '' : ` Did you mean ${nearest}?`;
}

function editDistance(left: readonly string[], right: readonly string[]): number {
  let [rowBefore, rowAbove]: [number[], number[]] = [[], Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (const [row, letter] of left.entries()) {
    const current = [row + 1];
    for (const [column, rightLetter] of right.entries()) {
      const substitution = (rowAbove[column] ?? 0) + (letter === rightLetter ? 0 : 1);
      const cheapest = Math.min(substitution, (rowAbove[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1);
      const isSwap = row > 0 && column > 0 && letter === right[column - 1] && left[row - 1] === rightLetter;
      current.push(isSwap ? Math.min(cheapest, (rowBefore[column - 1] ?? 0) + 1) : cheapest);
    }
    [rowBefore, rowAbove] = [rowAbove, current];
  }
  return rowAbove[right.length] ?? 0;
}

/** In UTF-16 code units. */
const maxReasonLength = 500;

/** Shortens the reason that the service gave, for use in a message. @param reason cleaned by `cleanText` */
export function reasonText(reason: string): string {
  if (reason.length <= maxReasonLength) return reason;
  // Don't cut a surrogate pair in half.
  const beginning = reason.slice(0, maxReasonLength - 1).replace(/[\ud800-\udbff]$/, '');
  return `${beginning.trimEnd()}…`;
}

/** Matches a database address at the start of a sentence or after "in", but not in a command. */
const databaseAddress = /(^|[.!?] |\bin )postgres(?:ql)?:\/\/\S*[^\s.,:;]/gu;

export function withoutAddress(text: string): string {
  return text.replace(databaseAddress, (_, prefix: string) =>
    prefix === 'in ' ? 'in the database' : `${prefix}The database`,
  );
}
