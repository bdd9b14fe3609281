import { stringify } from 'csv-stringify/sync';
import { cleanText } from '../lib/clean-text.ts';
import { guardFormula } from '../lib/csv-text.ts';
import { type GivenFields, type ImportColumn, importColumns } from '../scan/text-table.ts';

/** What was not added. */
export interface LeftNumber {
  /** Why, as a sentence. */
  readonly why: string;
  readonly fields: GivenFields;
}

/** What stands in a cell; tags are a line of CSV of their own. */
function cellOf({ tags = [], ...texts }: GivenFields, column: ImportColumn): string {
  if (column !== 'tags') return texts[column] ?? '';
  return tags.length === 0 ? '' : stringify([[...tags]], { eof: false });
}

/**
 * A table of what was left that `import` reads: a row each, below a comment that says why. It has only the columns of which
 * something is known, or which are to be filled in: those are given empty. Holds what is private.
 */
export function leftTable(left: readonly LeftNumber[]): string {
  const used = importColumns.filter(
    (name) => name === 'trackNo' || left.some(({ fields }) => fields[name] !== undefined),
  );
  const row = (cells: readonly string[]): string => stringify([cells.map(cleanText)], { eof: true });
  return [
    row(used),
    ...left.map(
      ({ fields, why }) => `# ${cleanText(why)}\n${row(used.map((name) => guardFormula(cellOf(fields, name))))}`,
    ),
  ].join('');
}
