import type { LeftEntry } from '../../board/input/partial-add.ts';
import type { GivenFields } from '../../watchlist/columns/column-names.ts';

/** One parcel of a file, as text; `place` says where it stands, e.g. `line 3`. */
export interface ImportRow {
  readonly place: string;
  readonly fields: GivenFields;
  /** What is wrong with a line that was read as in the input bar; absent when nothing is. */
  readonly problem?: LeftEntry;
}
