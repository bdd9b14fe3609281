import { memo, useMemo } from 'react';
import { columnHeadingLine, headingRows } from '../../board/list/column-headings.ts';
import { type GroupHeadingInput, groupHeading } from '../../board/list/group-heading.ts';
import { type ListRowInput, listRow } from '../../board/list/list-row.ts';
import { rowKey } from '../../board/list/list-rows.ts';
import { sortingTitle } from '../../board/list/sort-orders.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import { marksText } from '../marks/state.ts';
import { type FrameTexts, innerSize } from '../pane/frame.ts';
import { Painted } from '../pane/painted.tsx';
import { Pane } from '../pane/pane.tsx';
import { useListColumns } from './use-list-columns.ts';

/** The parcels in their order, as far as they are in sight. */
export function ListPane({ board, size }: { readonly board: Board; readonly size: PaneSize }) {
  const { arrangement, list, marks, now, pause, selection, state, ui, usual, zone } = board;
  const { parcels } = state;
  const isArchive = ui.listed === 'archive';
  const all = useMemo(
    () => parcels.filter(({ archivedAt }) => (archivedAt !== null) === isArchive).length,
    [parcels, isArchive],
  );
  const filter = ui.filter.text;
  const marked = marksText(marks);
  const matching = filter === '' ? '' : `“${filter}” · `;
  const texts: FrameTexts = {
    title: `${isArchive ? 'Archive' : 'Parcels'} · ${matching}${sortingTitle(ui.sorting)}`,
    status: positionText({ position: selection.position, listed: arrangement.order.length, all }),
    ...(marked === null ? {} : { titleRight: marked }),
  };
  const { height, width } = innerSize(size);
  const columns = useListColumns(board, width);
  const empty =
    all > 0
      ? ' No parcel matches. Esc clears the filter.'
      : isArchive
        ? ' Nothing is archived. A goes back to the watched parcels.'
        : board.setup.kind === 'ready'
          ? ' No parcels yet. Press a and type a number.'
          : ' No parcels yet. a takes a number, C sets up the service.';
  return (
    <Pane texts={texts} size={size} isFocused={ui.focus === 'list' || ui.focus === 'filter'}>
      {arrangement.order.length > 0 && headingRows(height) > 0 && <Painted line={columnHeadingLine(columns)} />}
      {list.rows.length === 0 && <Painted line={[{ text: empty, tone: 'quiet' }]} />}
      {list.rows.map((row) =>
        row.kind === 'heading' ? (
          <GroupRow
            key={rowKey(row)}
            title={row.title}
            count={row.count}
            isCollapsed={row.isCollapsed}
            unread={row.unread}
            attention={row.attention}
            selected={row.key === selection.group}
            width={width}
          />
        ) : (
          <ParcelRow
            key={rowKey(row)}
            parcel={row.parcel}
            selected={row.parcel.id === selection.parcelId}
            marked={marks.ids.has(row.parcel.id)}
            checking={state.checking.has(row.parcel.id)}
            now={now}
            zone={zone}
            pause={pause}
            usual={usual}
            hasStageHeadings={arrangement.grouping === 'stage'}
            shownProblem={state.polling.problem?.message ?? null}
            columns={columns}
          />
        ),
      )}
    </Pane>
  );
}

/** Where the selection stands among the listed parcels; of a filter, too, how many there are without it. */
function positionText({ all, listed, position }: Readonly<Record<'all' | 'listed' | 'position', number>>): string {
  const here = position === -1 ? String(listed) : `${position + 1} of ${listed}`;
  return listed === all ? here : `${here} · ${all} in all`;
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
