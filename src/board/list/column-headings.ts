import { cellWidth, fitLine, fitText } from '../text/cells.ts';
import type { Line } from '../text/line.ts';
import { type ColumnName, type ListColumns, leadWidth } from './list-columns.ts';

/** The names of the columns where they have little room. */
export const columnHeadings: Readonly<Record<ColumnName, string>> = {
  name: 'Parcel',
  courier: 'Courier',
  status: 'Status',
  place: 'Place',
  event: 'Event',
  expected: 'Expected',
  next: 'Next',
  age: 'Age',
};

/** Where they have more. */
const longHeadings: Readonly<Partial<Record<ColumnName, string>>> = { event: 'Newest event', next: 'Next check' };

/** A list of fewer rows has none to spare for the names of its columns. */
const namedFromRows = 8;

/** Rows that the names of the columns take in a list of so many rows: one or none. */
export const headingRows = (rows: number): 0 | 1 => (rows >= namedFromRows ? 1 : 0);

/** The names of the columns, exactly as wide as their list. Figures stand at the right of theirs, and so do their names. */
export function columnHeadingLine({ columns, gap, width }: ListColumns): Line {
  const names = columns.map(({ name, width: cells }) => {
    const short = columnHeadings[name];
    const full = longHeadings[name] ?? short;
    const isFigure = name === 'next' || name === 'age';
    return fitText(cellWidth(full) <= cells ? full : short, cells, isFigure ? 'right' : 'left');
  });
  return fitLine([{ text: ' '.repeat(leadWidth) + names.join(' '.repeat(gap)), dim: true }], width);
}
