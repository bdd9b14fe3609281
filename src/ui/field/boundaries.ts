const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/*
 * Places of a text between which a cursor goes, in UTF-16 units. Each is looked for near the cursor only, since a line may
 * hold a paste of many thousand characters.
 */

/** Where the grapheme before a place begins; 0 at the beginning. */
export const graphemeBefore = (text: string, at: number): number =>
  graphemes.segment(text).containing(at - 1)?.index ?? 0;

/** Where the grapheme behind a place ends; the length of the text at its end. */
export function graphemeAfter(text: string, at: number): number {
  const piece = graphemes.segment(text).containing(at);
  return piece === undefined ? text.length : piece.index + piece.segment.length;
}

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
