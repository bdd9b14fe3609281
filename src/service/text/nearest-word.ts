/**
 * The word that somebody may have meant by another one: the known one with the fewest wrong, missing, surplus or swapped
 * letters, as long as those are no more than a third of it. Null when none is near.
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

/** The same as the end of a sentence's line: ` Did you mean add?`; empty when none is near. */
export function didYouMean(typed: string, known: Iterable<string>): string {
  const meant = nearestWord(typed, known);
  return meant === null ? '' : ` Did you mean ${meant}?`;
}

/** Letters that have to be put in, taken out, replaced or swapped with their neighbour to make one word of the other. */
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
