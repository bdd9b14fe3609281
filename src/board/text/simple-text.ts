/**
 * Texts whose width can be counted by their characters: none of these joins with another one, is drawn in two ways, or
 * changes when it is normalised. Most texts of a board are made of nothing else, and a frame measures thousands.
 */

/** One cell each: ASCII, Latin, Greek and Cyrillic letters, and the signs that the board draws. */
const narrow =
  ' -~\\u00a1-\\u00ac\\u00ae-\\u02ff\\u0391-\\u03a1\\u03a3-\\u03a9\\u03b1-\\u03c9\\u0400-\\u0482\\u048a-\\u052f–—‘’“”•…←↑→↓↻⏎−∙≋─━│╭╮╯╰▌▫▲▸◆◇○●◔✓✗';
/** Two cells each: kana, Han and Hangul, with their punctuation. */
const wide = '\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30fa\\u30fc\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60';
const firstWide = 0x3001;

const anyOther = new RegExp(`[^${narrow}${wide}]`);

/** Whether a text is made of nothing but these characters. */
export const isSimple = (text: string): boolean => !anyOther.test(text);

/** Cells of a simple text. */
export function simpleWidth(text: string): number {
  let width = text.length;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) >= firstWide) width += 1;
  return width;
}

/** How many of the first characters of a simple text fit. */
function fitting(text: string, width: number): number {
  let cells = 0;
  for (let at = 0; at < text.length; at += 1) {
    cells += text.charCodeAt(at) >= firstWide ? 2 : 1;
    if (cells > width) return at;
  }
  return text.length;
}

/** A simple text that is too long, cut to at most `width` cells with a mark at its end. */
export const cutSimple = (text: string, width: number): string => `${text.slice(0, fitting(text, width - 1))}…`;

/** The same cut in its middle: beginning and end stay. */
export function cutSimpleMiddle(text: string, width: number): string {
  const half = Math.floor(width / 2);
  const skipped = simpleWidth(text) - (width - half) + 1;
  const from = fitting(text, skipped);
  const isSplit = simpleWidth(text.slice(0, from)) < skipped;
  return `${text.slice(0, fitting(text, half))}…${text.slice(isSplit ? from + 1 : from)}`;
}

/** A simple text in lines of at most `width` cells, broken at its blanks; null when a word of it is longer than a line. */
export function wrapSimple(text: string, width: number): string[] | null {
  const rows: string[] = [];
  let row = '';
  let cells = 0;
  for (const word of text.split(' ')) {
    const length = simpleWidth(word);
    if (length > width) return null;
    // Blanks at the beginning of a row are dropped, and so is the one at which it is broken.
    const gap = cells === 0 ? 0 : 1;
    if (cells + gap + length > width && length > 0) {
      rows.push(row.trimEnd());
      row = word;
      cells = length;
    } else {
      row += ' '.repeat(gap) + word;
      cells += gap + length;
    }
  }
  return [...rows, row.trimEnd()];
}
