import { memo, useMemo } from 'react';
import { columnHeadingLine, headingRows } from '../../board/list/column-headings.ts';
import { groupHeading, type ListRowInput, listRow } from '../../board/list/list-row.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import { marksText } from '../marks/state.ts';
import { type FrameTexts, innerSize } from '../pane/frame.ts';
import { Painted } from '../pane/painted.tsx';
import { Pane } from '../pane/pane.tsx';
import { useListColumns } from './use-list-columns.ts';

/** The parcels by urgency, as far as they are in sight. */
export function ListPane({ board, size }: { readonly board: Board; readonly size: PaneSize }) {
  const { arrangement, list, marks, now, pause, selection, state, ui, usual, zone } = board;
  const { parcels } = state;
  const watched = useMemo(() => parcels.filter((parcel) => parcel.archivedAt === null).length, [parcels]);
  const filter = ui.filter.text;
  const listed = arrangement.order.length;
  const marked = marksText(marks);
  const texts: FrameTexts = {
    title: filter === '' ? 'Parcels · by urgency' : `Parcels · “${filter}”`,
    status: filter === '' ? String(listed) : `${listed} of ${watched}`,
    ...(marked === null ? {} : { titleRight: marked }),
  };
  const { height, width } = innerSize(size);
  const columns = useListColumns(board, width);
  const empty =
    watched === 0 ? ' No parcels yet. Press a and type a number.' : ' No parcel matches. Esc clears the filter.';
  return (
    <Pane texts={texts} size={size} isFocused={ui.focus === 'list' || ui.focus === 'filter'}>
      {listed > 0 && headingRows(height) > 0 && <Painted line={columnHeadingLine(columns)} />}
      {list.rows.length === 0 && <Painted line={[{ text: empty, tone: 'quiet' }]} />}
      {list.rows.map((row) =>
        row.kind === 'heading' ? (
          <HeadingRow key={`heading ${row.title}`} title={row.title} count={row.count} width={width} />
        ) : (
          <ParcelRow
            key={row.parcel.id}
            parcel={row.parcel}
            selected={row.parcel.id === selection.parcelId}
            marked={marks.ids.has(row.parcel.id)}
            checking={state.checking.has(row.parcel.id)}
            now={now}
            zone={zone}
            pause={pause}
            usual={usual}
            shownProblem={state.polling.problem?.message ?? null}
            columns={columns}
          />
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

interface HeadingRowProps {
  readonly title: string;
  readonly count: number;
  readonly width: number;
}

const HeadingRow = memo(function HeadingRow({ count, title, width }: HeadingRowProps) {
  return <Painted line={groupHeading(title, count, width)} />;
});
