/**
 * Texts whose width can be counted by their characters: none of these is drawn in two ways, and only Thai marks join with
 * what stands before them. Most texts of a board are made of nothing else; a frame measures thousands, and to load what
 * measures all others takes as long as a small command.
 */

/** One cell each: ASCII, Latin, Greek, Cyrillic and Thai letters, and the signs that the board draws. */
const narrow =
  ' -~\\u00a1-\\u00ac\\u00ae-\\u02ff\\u0388-\\u038a\\u038c\\u038e-\\u03a1\\u03a3-\\u03ce\\u0400-\\u0482\\u048a-\\u052f\\u0e01-\\u0e30\\u0e32\\u0e3f-\\u0e46\\u0e4f-\\u0e5b\\u1ea0-\\u1ef9–—‘’“”•…←↑→↓↻⏎−∙≋─━│╭╮╯╰▌▫□▲▸◆◇○●◔✓✗';
/** Two cells each: kana, Han and Hangul, with their punctuation. */
const wide = '\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30fa\\u30fc\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60';
const firstWide = 0x3001;
/** No cell: Thai vowels and tones above and below a consonant. */
const marks = '\\u0e31\\u0e34-\\u0e3a\\u0e47-\\u0e4e';
const isMark = new RegExp(`[${marks}]`);
const firstMark = 0x0e31;
const lastMark = 0x0e4e;

/** Marks elsewhere than on a Thai letter are drawn as each terminal likes. */
const anyOther = new RegExp(`[^${narrow}${wide}${marks}]|(?<![\\u0e01-\\u0e2e${marks}])[${marks}]`);

/** Whether a text is made of nothing but these characters. */
export const isSimple = (text: string): boolean => !anyOther.test(text);

/** Cells of a simple text. */
export function simpleWidth(text: string): number {
  let width = 0;
  for (let at = 0; at < text.length; at += 1) width += cellsAt(text, at);
  return width;
}

function cellsAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < firstMark) return 1;
  if (unit >= firstWide) return 2;
  return unit <= lastMark && isMark.test(text.charAt(at)) ? 0 : 1;
}

/** How many of the first characters of a simple text fit. */
function fitting(text: string, width: number): number {
  let cells = 0;
  for (let at = 0; at < text.length; at += 1) {
    cells += cellsAt(text, at);
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
