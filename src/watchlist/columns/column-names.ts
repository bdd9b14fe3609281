import { otherHeadings } from './column-headings.ts';

/** A field of a row. */
export type ImportColumn = keyof typeof otherHeadings;

/** What was given for a number, by the fields of a row; what was not given is absent. */
export type GivenFields = { readonly [Field in Exclude<ImportColumn, 'tags'>]?: string } & {
  readonly tags?: readonly string[];
};

/** All fields. The number comes first, because a line that begins with # is a comment and no number does. */
export const importColumns = Object.keys(otherHeadings) as readonly ImportColumn[];

const byName: ReadonlyMap<string, readonly [field: ImportColumn, rank: number]> = new Map(
  importColumns.flatMap((field) => {
    const names: readonly string[] = [field, ...otherHeadings[field]];
    return names.map((name, rank) => [headingForm(name), [field, rank]] as const);
  }),
);

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

/** The field of a column heading, and how likely the heading means it: 0 the likeliest; null for one that is not known. */
export function rankedColumnOf(heading: string): readonly [field: ImportColumn, rank: number] | null {
  return byName.get(headingForm(heading)) ?? null;
}

/** The field of a column heading or a JSON key; null for one that is not known. */
export function columnOf(heading: string): ImportColumn | null {
  return rankedColumnOf(heading)?.[0] ?? null;
}
