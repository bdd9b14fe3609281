import { stringify } from 'csv-stringify/sync';
import { cleanText } from '../../service/text/clean-text.ts';
import { guardFormula } from '../output/formula-guard.ts';
import type { ExportedParcel } from '../output/json-schemas.ts';

/** Columns of what was left, named as `import` reads them. */
const columns = [
  // First, because a line that begins with # is a comment and no number does.
  'trackNo',
  'courierCode',
  'label',
  'tags',
  'postalCode',
  'phoneSuffix',
  'orderNo',
  'country',
  'shipTime',
  'email',
  'remark',
  'custom1',
  'custom2',
  'state',
  'archivedAt',
] as const satisfies readonly (keyof ExportedParcel)[];

/** What was given for a number, by the columns of `import`; what was not given is absent. */
export type GivenFields = { readonly [Column in Exclude<(typeof columns)[number], 'tags'>]?: string } & {
  readonly tags?: readonly string[];
};

/** What was not added. */
export interface LeftNumber {
  /** Why, as a sentence. */
  readonly why: string;
  readonly fields: GivenFields;
}

/** What stands in a cell; tags are a line of CSV of their own. */
function cellOf({ tags = [], ...texts }: GivenFields, column: (typeof columns)[number]): string {
  if (column !== 'tags') return texts[column] ?? '';
  return tags.length === 0 ? '' : stringify([[...tags]], { eof: false });
}

/**
 * A table of what was left that `import` reads: a row each, below a comment that says why. It has only the columns of which
 * something is known. Holds what is private.
 */
export function leftTable(left: readonly LeftNumber[]): string {
  const used = columns.filter((name) => name === 'trackNo' || left.some(({ fields }) => cellOf(fields, name) !== ''));
  const row = (cells: readonly string[]): string => stringify([cells.map(cleanText)], { eof: true });
  return [
    row(used),
    ...left.map(
      ({ fields, why }) => `# ${cleanText(why)}\n${row(used.map((name) => guardFormula(cellOf(fields, name))))}`,
    ),
  ].join('');
}
