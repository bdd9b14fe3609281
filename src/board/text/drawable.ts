/**
 * Regional indicators, enclosing keycap, skin tones, joiners and variation selectors, Thai and Lao AM, and the linkers of
 * Indic and Khmer conjuncts.
 */
const contested =
  /[\u{1F1E6}-\u{1F1FF}\u20E3\u{1F3FB}-\u{1F3FF}\u0E33\u0EB3\u094D\u09CD\u0ACD\u0B4D\u0C4D\u0D4D\u1039\u17D2\u1A60\u1B44\u1BAB\uA9C0\uAAF6]|\u200D|[\uFE00-\uFE0F]/u;
const regionalIndicator = /[\u{1F1E6}-\u{1F1FF}]/gu;
const regionalIndicatorA = 0x1f1e6;
const droppedMarks = /[\u20E3\u{1F3FB}-\u{1F3FF}]|\u200D|[\uFE00-\uFE0F]/gu;
const thaiAm = /([\u0E48-\u0E4B]?)\u0E33/g;
const laoAm = /([\u0EC8-\u0ECB]?)\u0EB3/g;
const conjunct = (): RegExp =>
  /([\u094D\u09CD\u0ACD\u0B4D\u0C4D\u0D4D\u1039\u17D2\u1A60\u1B44\u1BAB\uA9C0\uAAF6]\p{M}*)(?=\p{L})/gu;

/**
 * Rewrites the few clusters whose width terminals and width tables disagree about into forms they agree about: flags
 * become their two letters, keycaps lose their cap, hands their skin tone and families what joins them, signs stay as they
 * are without a selector, Thai and Lao AM are spelt in their two parts, conjuncts are drawn with a visible linker.
 * What measures and cuts texts (`cells.ts`) goes by this form, and so does what paints them.
 */
export function drawable(text: string): string {
  if (!contested.test(text)) return text;
  return text
    .replace(regionalIndicator, (indicator) => {
      const letter = (indicator.codePointAt(0) ?? regionalIndicatorA) - regionalIndicatorA;
      return String.fromCodePoint(0x41 + letter);
    })
    .replace(droppedMarks, '')
    .replace(thaiAm, '\u0E4D$1\u0E32')
    .replace(laoAm, '\u0ECD$1\u0EB2')
    .replace(conjunct(), '$1\u200C');
}
