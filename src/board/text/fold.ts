/**
 * Characters that folding changes in nothing but their case: ASCII, Thai without what is spelt in two parts or moves before
 * its neighbours, kana, Han and Hangul. Most texts have no others, and the long way takes ten times as long.
 */
const usual = /^[ -~\u0e01-\u0e32\u0e34-\u0e39\u0e3f-\u0e5b\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;
/** A tone before a vowel below: folding puts them in order. */
const unordered = /[\u0e48-\u0e4b][\u0e38\u0e39]/;
const needlessBlank = /^ | $| {2}/;

/**
 * The form in which texts are compared when a person searches: no case, no accents, no full-width or ligature forms,
 * white space folded.
 */
export function fold(text: string): string {
  if (usual.test(text) && !unordered.test(text) && !needlessBlank.test(text)) return text.toLowerCase();
  return folded(text);
}

/** {@link fold} for any text. */
export function folded(text: string): string {
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
