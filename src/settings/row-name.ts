import { cleanText } from '../lib/clean-text.ts';
import type { SpoiltNumbers } from '../store/postgres/account-row.ts';
import type { UnusableRow } from '../store/postgres/unusable-rows.ts';

const names: Readonly<Record<UnusableRow['table'], string>> = {
  parcel: 'parcel',
  removed: 'parcel in the trash',
  history: 'history',
  change: 'line of the change log',
  document: 'document',
};

/** What is longer is no id that the program gives. */
const longestShown = 80;

/** A row of a database as a person is told of it; another program may have given it any name. */
export const rowName = ({ id, table }: Pick<UnusableRow, 'id' | 'table'>): string =>
  `${names[table]} ${cleanText(id.slice(0, longestShown))}`;

/** What bears numbers that nothing can follow, as a person is told of it. */
export function numbersName({ count, where }: SpoiltNumbers): string {
  if (where === 'account') return 'account';
  if (where === 'lease') return 'right to check';
  return `${count} of ${names[where as UnusableRow['table']]}`;
}
