import { memo } from 'react';
import { columnHeadingLine, headingRows } from '../../board/list/column-headings.ts';
import { type GroupHeadingInput, groupHeading } from '../../board/list/group-heading.ts';
import { type ListRowInput, listRow } from '../../board/list/list-row.ts';
import { rowKey } from '../../board/list/list-rows.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import { innerSize } from '../pane/frame.ts';
import { Painted } from '../pane/painted.tsx';
import { Pane } from '../pane/pane.tsx';
import { emptyListLine, groupInput, isListFocused, listFrame, parcelInput } from './list-lines.ts';
import { useListColumns } from './use-list-columns.ts';

/** The parcels in their order, as far as they are in sight. */
export function ListPane({ board, size }: { readonly board: Board; readonly size: PaneSize }) {
  const { arrangement, list } = board;
  const { height, width } = innerSize(size);
  const columns = useListColumns(board, width);
  return (
    <Pane texts={listFrame(board)} size={size} isFocused={isListFocused(board)}>
      {arrangement.order.length > 0 && headingRows(height) > 0 && <Painted line={columnHeadingLine(columns)} />}
      {list.rows.length === 0 && <Painted line={emptyListLine(board)} />}
      {list.rows.map((row) =>
        row.kind === 'heading' ? (
          <GroupRow key={rowKey(row)} {...groupInput(board, row, width)} />
        ) : (
          <ParcelRow key={rowKey(row)} parcel={row.parcel} {...parcelInput(board, row.parcel, columns)} />
        ),
      )}
    </Pane>
  );
}

interface ParcelRowProps extends ListRowInput {
  readonly parcel: Parcel;
}

/** One parcel. A row of which nothing changed is not written again. */
const ParcelRow = memo(function ParcelRow({ parcel, ...input }: ParcelRowProps) {
  return <Painted line={listRow(parcel, input)} />;
});

/** The heading of a group. */
const GroupRow = memo(function GroupRow(input: GroupHeadingInput) {
  return <Painted line={groupHeading(input)} />;
});
