import { stringify } from 'csv-stringify/sync';
import { counted } from '../../board/text/counted.ts';
import { cleanText } from '../../service/text/clean-text.ts';
import { shellWord } from '../../watchlist/files/shell-word.ts';
import type { NewParcel } from '../../watchlist/model/parcel-factory.ts';
import { writeOutputFile } from '../export/output-file.ts';
import { guardFormula } from '../output/formula-guard.ts';
import type { ExportedParcel } from '../output/json-schemas.ts';
import { formatInstant } from '../output/parcel-json.ts';
import { type Session, say } from '../session/session.ts';

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
export type GivenFields = { readonly [Column in (typeof columns)[number]]?: string };

/** What was not added. */
export interface LeftNumber {
  /** Why, as a sentence. */
  readonly why: string;
  readonly fields: GivenFields;
}

/** What a number is added with, as it would be given again. */
export function fieldsOfParcel(parcel: NewParcel): GivenFields {
  const { archivedAt, courierCode, label, merchant = {}, phoneSuffix, postalCode, tags = [], trackNo } = parcel;
  const given = {
    trackNo,
    courierCode,
    label,
    tags: tagsCell(tags),
    postalCode,
    phoneSuffix,
    orderNo: merchant.orderNo,
    country: merchant.country,
    shipTime: merchant.shippedAt === undefined ? undefined : formatInstant(Date.parse(merchant.shippedAt)),
    email: merchant.customerEmail,
    remark: merchant.remark,
    custom1: merchant.custom1,
    custom2: merchant.custom2,
    archivedAt,
  } satisfies { readonly [Column in (typeof columns)[number]]?: unknown };
  return Object.fromEntries(Object.entries(given).filter(([, text]) => (text ?? '') !== ''));
}

/** Tags as a cell of a table: a line of CSV of their own. */
export const tagsCell = (tags: readonly string[]): string =>
  tags.length === 0 ? '' : stringify([[...tags]], { eof: false });

/**
 * A table of what was left that `import` reads: a row each, below a comment that says why. It has only the columns of which
 * something is known. Holds what is private.
 */
export function leftTable(left: readonly LeftNumber[]): string {
  const used = columns.filter((name) => name === 'trackNo' || left.some(({ fields }) => (fields[name] ?? '') !== ''));
  const row = (cells: readonly string[]): string => stringify([cells.map(cleanText)], { eof: true });
  return [
    row(used),
    ...left.map(
      ({ fields, why }) => `# ${cleanText(why)}\n${row(used.map((name) => guardFormula(fields[name] ?? '')))}`,
    ),
  ].join('');
}

/**
 * Writes what was left into the file that the user named, for their eyes only, and says how to go on. Nothing is written
 * where nothing was left. Rejects as {@link writeOutputFile}.
 */
export async function keepLeft({ context, paths }: Session, path: string, left: readonly LeftNumber[]): Promise<void> {
  if (left.length === 0) {
    say(context, `Nothing was left; ${path} was not written.`);
    return;
  }
  await writeOutputFile(path, leftTable(left), { random: context.random, paths });
  say(
    context,
    `${counted(left.length, 'number')} left, with the reasons, in ${path}. Correct them and try again: parcel-monitor import ${shellWord(path)}`,
  );
}
