/**
 * What makes a spreadsheet take a cell for a formula, in ASCII and in full width, behind any number of apostrophes. Those
 * count, too, so that a text that had one of its own gets it back.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;
const guarded = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** Puts an apostrophe before a text that a spreadsheet would run as a formula; {@link unguardFormula} takes it away. */
export function guardFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** The text that {@link guardFormula} was given. */
export function unguardFormula(text: string): string {
  return guarded.test(text) ? text.slice(1) : text;
}
