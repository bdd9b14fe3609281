const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/*
 * Places of a text between which a cursor goes, in UTF-16 units. Each is looked for near the cursor only, since a line may
 * hold a paste of many thousand characters.
 */

/** So much around a place is looked at first. */
const reach = 64;

/** Two of these never make one grapheme. */
const alone = /^[ -~À-ɏΑ-ΡΣ-ωА-яぁ-ゖァ-ヺ一-鿿가-힣]+$/;

/**
 * The grapheme that a place is in. A segmenter looks through all of the text that it is given, which for each key in a long line
 * is too much: it gets a part that begins between two graphemes.
 */
function graphemeAt(text: string, at: number): { readonly start: number; readonly end: number } | null {
  // With its neighbours, which is how nearly all texts are.
  if (alone.test(text.slice(Math.max(0, at - 1), at + 2))) return { start: at, end: at + 1 };
  let from = Math.max(0, at - reach);
  while (from > 0 && !alone.test(text.slice(from - 1, from + 1))) from -= 1;
  const to = at + reach;
  const part = text.slice(from, to);
  const piece = graphemes.segment(part).containing(at - from);
  if (piece === undefined) return null;
  const end = from + piece.index + piece.segment.length;
  if (end < to || to >= text.length) return { start: from + piece.index, end };
  // One that is longer than what was looked at.
  const whole = graphemes.segment(text).containing(at);
  return whole === undefined ? null : { start: whole.index, end: whole.index + whole.segment.length };
}

/** Where the grapheme before a place begins; 0 at the beginning. */
export const graphemeBefore = (text: string, at: number): number =>
  at <= 0 ? 0 : (graphemeAt(text, at - 1)?.start ?? 0);

/** Where the grapheme behind a place ends; the length of the text at its end. */
export const graphemeAfter = (text: string, at: number): number =>
  at >= text.length ? text.length : (graphemeAt(text, at)?.end ?? text.length);

/** Where the word before a place begins: letters and digits; in a script without spaces, what is a word there. */
export function wordBefore(text: string, at: number): number {
  const pieces = words.segment(text);
  for (let piece = pieces.containing(at - 1); piece !== undefined; piece = pieces.containing(piece.index - 1)) {
    if (piece.isWordLike === true) return piece.index;
  }
  return 0;
}

/** Where the word behind a place ends. */
export function wordAfter(text: string, at: number): number {
  const pieces = words.segment(text);
  for (let piece = pieces.containing(at); piece !== undefined; ) {
    const end = piece.index + piece.segment.length;
    if (piece.isWordLike === true) return end;
    piece = pieces.containing(end);
  }
  return text.length;
}

/** Where what stands before a place without white space in it begins, a whole address or path included. */
export function blankBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && /\s/.test(text.charAt(start - 1))) start -= 1;
  while (start > 0 && !/\s/.test(text.charAt(start - 1))) start -= 1;
  return start;
}
