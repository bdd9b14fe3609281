/**
 * The form in which texts are compared when a person searches: no case, no accents, no full-width or ligature forms,
 * white space folded.
 */
export function fold(text: string): string {
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
