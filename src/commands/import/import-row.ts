import type { LeftEntry } from '../../board/input/partial-add.ts';
import type { ImportColumn } from '../../watchlist/columns/column-names.ts';

/** A field of a row that is one text. */
export type ImportField = Exclude<ImportColumn, 'tags'>;

/** One parcel of a file, as text; `place` says where it stands, e.g. `line 3`. */
export interface ImportRow {
  readonly place: string;
  readonly fields: Readonly<Partial<Record<ImportField, string>>>;
  /** What is wrong with a line that was read as in the input bar; absent when nothing is. */
  readonly problem?: LeftEntry;
  /** Absent for none. */
  readonly tags?: readonly string[];
}
