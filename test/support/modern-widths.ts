import type xterm from '@xterm/headless';
import stringWidth from 'string-width';

const version = 'as string-width measures';

/**
 * The emulator's properties of a character: the lowest bit is set if it joins the previous one, the next two are its
 * width.
 */
const widthOf = (properties: number): number => (properties >> 1) & 3;

/** Gives an emulator the character widths of modern terminals, because its own table is older than most emoji. */
export function applyModernWidths({ unicode }: xterm.Terminal): void {
  const widths = new Map<number, 0 | 1 | 2>();
  const wcwidth = (codePoint: number): 0 | 1 | 2 => {
    const known = widths.get(codePoint) ?? (Math.min(2, stringWidth(String.fromCodePoint(codePoint))) as 0 | 1 | 2);
    widths.set(codePoint, known);
    return known;
  };
  unicode.register({
    version,
    wcwidth,
    charProperties: (codePoint, preceding) => {
      const width = wcwidth(codePoint);
      const joins = width === 0 && widthOf(preceding) > 0;
      return ((joins ? widthOf(preceding) : width) << 1) | (joins ? 1 : 0);
    },
  });
  unicode.activeVersion = version;
}
