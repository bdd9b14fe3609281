import { stringify } from 'csv-stringify/sync';

/** Spreadsheets treat a cell that starts like this as a formula, even after an apostrophe. */
const formulaStart = "'*[=+\\-@\\t\\r\\n＝＋－＠]";
/** Some locales separate cells with semicolons, so a cell may also start after one. */
const cellStart = '(?<=^|[;\\t\\r\\n] {0,20})';
const unguardedFormula = new RegExp(`${cellStart}(?=${formulaStart})`, 'g');
const guardedFormula = new RegExp(`${cellStart}'(?=${formulaStart})`, 'g');

export function guardFormula(text: string): string {
  return text.replace(unguardedFormula, "'");
}

export function unguardFormula(text: string): string {
  return text.replace(guardedFormula, '');
}

export type CellValue = string | number | null;

/** Returns CSV (RFC 4180) without a byte order mark. Formulas are neutralised. */
export function csvText(rows: readonly (readonly CellValue[])[]): string {
  const cells = rows.map((row) => row.map((value) => (value === null ? '' : guardFormula(String(value)))));
  return stringify(cells, {
    record_delimiter: 'windows',
    // Also quotes cells with other line breaks.
    quote_record_delimiter: true,
  });
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes the text of an HTML element or of a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

export function escapeMarkdown(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] ?? character).replace(/[\\`*_[\]|~]/g, '\\$&');
}
