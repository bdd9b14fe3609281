import { otherHeadings } from './column-headings.ts';

/** A field of a row. */
export type ImportColumn = keyof typeof otherHeadings;

/** What was given for a number, by the fields of a row; what was not given is absent. */
export type GivenFields = { readonly [Field in Exclude<ImportColumn, 'tags'>]?: string } & {
  readonly tags?: readonly string[];
};

/** All fields. The number comes first, because in a table of ours a line that begins with # is a comment and no number does. */
export const importColumns = Object.keys(otherHeadings) as readonly ImportColumn[];

const byName: ReadonlyMap<string, readonly [field: ImportColumn, rank: number]> = new Map(
  importColumns.flatMap((field) => {
    const names: readonly string[] = [field, ...otherHeadings[field]];
    return names.map((name, rank) => [headingForm(name), [field, rank]] as const);
  }),
);

/** Headings that say little: other things have numbers and bar codes, too. */
const vague: ReadonlySet<string> = new Set(
  'number parcel nummer numero barcode kennung sendung order auftrag bestellung commande pedido ordine'.split(' '),
);

/** Whether a heading could be that of other numbers as well, as `#`, `Number` and `Barcode` are. */
export const isVague = (heading: string): boolean => vague.has(headingForm(heading));

/** A heading that names a group before what it is, as in `Fulfillment: Tracking Number`, `Shipping/Tracking No` and `Order - Tracking number`. */
const grouped = /^(.*\S)(?:\s*[:/|]\s*|\s+[-\u2013]\s+)(\S.*)$/;

/** The groups in which a heading means what it means alone; the same words are said of invoices, customers and returns, too. */
const groups: Readonly<Partial<Record<ImportColumn, RegExp>>> = {
  trackNo:
    /^(?!.*(?:bill|rechnung|invoice|return|retour|refund|customer|kunde|product|variant|item|payment|transaction))/,
  courierCode: /ship|fulfil|deliver|track|versand|liefer|sendung|parcel|package|paket|label|order/,
  label: /^(?:line|item|product|article|artikel|produkt|position)/,
  orderNo: /^(?!.*(?:return|refund|customer|kunde|payment|transaction|purchase))/,
  postalCode: /^(?:ship|deliver|liefer|recipient|destination)/,
};
/** What is added to the rank of a heading that is known without its group only. */
const groupedRank = 1_000;

/** A heading as headings are compared: small letters and digits without accents. What stands before a point is a group of keys. */
export function headingForm(heading: string): string {
  return heading
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/^.*[a-z]\.(?=[a-z])/, '')
    .replaceAll('#', 'number')
    .replaceAll('ł', 'l')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * The field of a column heading, and how likely the heading means it: 0 the likeliest; null for one that is not known. One that is
 * not known as a whole may name a group first.
 */
export function rankedColumnOf(heading: string): readonly [field: ImportColumn, rank: number] | null {
  const whole = byName.get(headingForm(heading));
  if (whole !== undefined) return whole;
  const [, group = '', last = ''] = grouped.exec(heading.slice(0, longestHeading)) ?? [];
  const [field, rank] = byName.get(headingForm(last)) ?? [];
  if (field === undefined || rank === undefined || isVague(last)) return null;
  return groups[field]?.test(headingForm(group)) === true ? [field, groupedRank + rank] : null;
}

/** Longest heading that is taken apart, in characters. */
const longestHeading = 200;

/** The field of a column heading or a JSON key; null for one that is not known. */
export function columnOf(heading: string): ImportColumn | null {
  return rankedColumnOf(heading)?.[0] ?? null;
}
