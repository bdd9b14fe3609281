import { Text } from 'ink';
import { memo, useMemo } from 'react';
import type { PauseReason } from '../../board/header/pause-reason.ts';
import { groupHeading, listRow } from '../../board/list/list-row.ts';
import { type Look, paint } from '../../board/text/paint.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import { type FrameTexts, innerSize, withSides } from '../pane/frame.ts';
import { Pane, PaneRows } from '../pane/pane.tsx';

/** The parcels by urgency, as far as they are in sight. */
export function ListPane({ board, size }: { readonly board: Board; readonly size: PaneSize }) {
  const { arrangement, colour, glyphs, hyperlinks, list, now, pause, selection, state, ui, zone } = board;
  const { parcels } = state;
  const watched = useMemo(() => parcels.filter((parcel) => parcel.archivedAt === null).length, [parcels]);
  const filter = ui.filter.text;
  const listed = arrangement.order.length;
  const texts: FrameTexts = {
    title: filter === '' ? 'Parcels · by urgency' : `Parcels · “${filter}”`,
    status: filter === '' ? String(listed) : `${listed} of ${watched}`,
  };
  const isFocused = ui.focus === 'list' || ui.focus === 'filter';
  const inner = innerSize(size);
  const shared = { colour, glyphs, hyperlinks, isFocused, width: inner.width };
  const empty =
    watched === 0 ? ' No parcels yet. Press a and type a number.' : ' No parcel matches. Esc clears the filter.';
  const fill = list.rows.length === 0 ? [[{ text: empty, tone: 'quiet' as const }]] : [];
  return (
    <Pane texts={texts} size={size} isFocused={isFocused} look={board}>
      {list.rows.map((row) =>
        row.kind === 'heading' ? (
          <HeadingRow key={`heading ${row.title}`} title={row.title} count={row.count} {...shared} />
        ) : (
          <ParcelRow
            key={row.parcel.id}
            parcel={row.parcel}
            isSelected={row.parcel.id === selection.parcelId}
            isChecking={state.checking.has(row.parcel.id)}
            now={now}
            zone={zone}
            pause={pause}
            withExpected={arrangement.withExpected}
            {...shared}
          />
        ),
      )}
      <PaneRows
        lines={fill}
        height={inner.height - list.rows.length}
        width={inner.width}
        isFocused={isFocused}
        look={board}
      />
    </Pane>
  );
}

interface RowProps extends Look {
  readonly isFocused: boolean;
  readonly width: number;
}

interface ParcelRowProps extends RowProps {
  readonly parcel: Parcel;
  readonly isSelected: boolean;
  readonly isChecking: boolean;
  readonly now: EpochMs;
  readonly zone: Zone;
  readonly pause: PauseReason | null;
  readonly withExpected: boolean;
}

/** One parcel. A row of which nothing changed is not written again. */
const ParcelRow = memo(function ParcelRow(props: ParcelRowProps) {
  const { isChecking, isFocused, isSelected, now, parcel, pause, width, withExpected, zone } = props;
  const line = listRow(parcel, { now, width, zone, checking: isChecking, pause, selected: isSelected, withExpected });
  return <Text wrap="truncate">{paint(withSides(line, width, isFocused), props)}</Text>;
});

interface HeadingRowProps extends RowProps {
  readonly title: string;
  readonly count: number;
}

const HeadingRow = memo(function HeadingRow(props: HeadingRowProps) {
  const { count, isFocused, title, width } = props;
  return <Text wrap="truncate">{paint(withSides(groupHeading(title, count, width), width, isFocused), props)}</Text>;
});
