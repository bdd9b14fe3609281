import { cellWidth, fitLine, fitText } from '../text/cells.ts';
import type { Line } from '../text/line.ts';
import { type ColumnName, type ListColumns, leadWidth } from './list-columns.ts';

/** What a column is called. */
export interface ColumnHeading {
  /** Where it has room. */
  readonly full: string;
  readonly short: string;
}

/** The names of the columns. */
export const columnHeadings: Readonly<Record<ColumnName, ColumnHeading>> = {
  name: { full: 'Parcel', short: 'Parcel' },
  courier: { full: 'Courier', short: 'Courier' },
  status: { full: 'Status', short: 'Status' },
  place: { full: 'Place', short: 'Place' },
  event: { full: 'Newest event', short: 'Event' },
  expected: { full: 'Expected', short: 'Expected' },
  next: { full: 'Next check', short: 'Next' },
  age: { full: 'Age', short: 'Age' },
};

/** A list of fewer rows has none to spare for the names of its columns. */
const namedFromRows = 8;

/** Rows that the names of the columns take in a list of so many rows: one or none. */
export const headingRows = (rows: number): 0 | 1 => (rows >= namedFromRows ? 1 : 0);

/** The names of the columns, exactly as wide as their list. Figures stand at the right of theirs, and so do their names. */
export function columnHeadingLine({ columns, gap, width }: ListColumns): Line {
  const names = columns.map(({ name, width: cells }) => {
    const { full, short } = columnHeadings[name];
    const isFigure = name === 'next' || name === 'age';
    return fitText(cellWidth(full) <= cells ? full : short, cells, isFigure ? 'right' : 'left');
  });
  return fitLine([{ text: ' '.repeat(leadWidth) + names.join(' '.repeat(gap)), dim: true }], width);
}
