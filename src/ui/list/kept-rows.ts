import { sameNeeds } from '../../board/list/column-needs.ts';
import { type ColumnNeeds, type ListColumns, listColumns } from '../../board/list/list-columns.ts';
import { type ListRowInput, listRow } from '../../board/list/list-row.ts';
import type { Line } from '../../board/text/line.ts';
import { LatestMap } from '../../watchlist/model/latest-map.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { sameFields } from '../same-fields.ts';

interface KeptRow {
  readonly parcel: Parcel;
  readonly input: ListRowInput;
  readonly line: Line;
}

/** More rows than any window shows. */
const mostKept = 200;

/** Writes the rows of the list. One of which nothing has changed is not written again: most keys change two. */
export class KeptRows {
  readonly #rows = new LatestMap<string, KeptRow>(mostKept);
  #columns: { readonly columns: ListColumns; readonly needs: ColumnNeeds; readonly width: number } | null = null;

  /** The columns of a list of so many cells; the same object while it needs the same. */
  columns(width: number, needs: ColumnNeeds): ListColumns {
    const kept = this.#columns;
    if (kept !== null && kept.width === width && sameNeeds(kept.needs, needs)) return kept.columns;
    const columns = listColumns(width, needs);
    this.#columns = { columns, needs, width };
    return columns;
  }

  /** The row of a parcel. */
  row(parcel: Parcel, input: ListRowInput): Line {
    const kept = this.#rows.get(parcel.id);
    if (kept?.parcel === parcel && sameFields(kept.input, input)) return kept.line;
    const line = listRow(parcel, input);
    this.#rows.set(parcel.id, { parcel, input, line });
    return line;
  }
}
