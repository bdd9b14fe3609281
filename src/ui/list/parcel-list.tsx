import { memo, useMemo } from 'react';
import type { PauseReason } from '../../board/header/pause-reason.ts';
import type { Arrangement } from '../../board/list/arrange.ts';
import { columnHeadingLine, headingRows } from '../../board/list/column-headings.ts';
import { groupHeading } from '../../board/list/group-heading.ts';
import { type ColumnNeeds, listColumns } from '../../board/list/list-columns.ts';
import { type ListRowInput, listRow } from '../../board/list/list-row.ts';
import type { ListRow } from '../../board/list/list-rows.ts';
import { sortingTitle } from '../../board/list/sort-orders.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { PaneSize } from '../layout.ts';
import { type FrameTexts, innerSize } from '../pane/frame.ts';
import { Lines } from '../pane/lines.tsx';
import { Pane } from '../pane/pane.tsx';
import { type Marks, marksText } from './marks.ts';
import type { ListState, Selection } from './state.ts';

/** What the list is drawn from. */
export interface ParcelListProps {
  readonly size: PaneSize;
  readonly isFocused: boolean;
  /** Which parcels it shows, and how. */
  readonly ui: Pick<ListState, 'filter' | 'listed' | 'sorting'>;
  readonly arrangement: Arrangement;
  /** Those in sight. */
  readonly rows: readonly ListRow[];
  /** What its columns need. */
  readonly needs: () => ColumnNeeds;
  readonly selection: Selection;
  readonly marks: Marks;
  readonly viewing: Required<Viewing>;
  /** Ids of the parcels about which a call is under way. */
  readonly checking: ReadonlySet<string>;
  /** Why nothing is checked by itself; null while it is. */
  readonly pause: PauseReason | null;
  /** The problem that the lines under the header say. */
  readonly shownProblem: string | null;
  /** Whether there is a service to ask. */
  readonly isSetUp: boolean;
}

/** Rows of the list pane that are for parcels and groups. */
export function listHeight(size: PaneSize): number {
  const { height } = innerSize(size);
  return height - headingRows(height);
}

/** The parcels in their order, as far as they are in sight. */
export function ParcelList(props: ParcelListProps) {
  const { arrangement, checking, isFocused, marks, needs, pause, rows, selection, shownProblem, size, viewing } = props;
  const { height, width } = innerSize(size);
  const columns = useMemo(() => listColumns(width, needs()), [width, needs]);
  const names = useMemo(() => [columnHeadingLine(columns)], [columns]);
  const hasStageHeadings = arrangement.grouping === 'stage';
  return (
    <Pane texts={listFrame(props)} size={size} isFocused={isFocused}>
      {arrangement.order.length > 0 && headingRows(height) > 0 ? <Lines lines={names} /> : null}
      {rows.length === 0 ? <Lines lines={[[{ text: emptyListText(props), tone: 'quiet' }]]} width={width} /> : null}
      {rows.map((row) =>
        row.kind === 'heading' ? (
          <Lines
            key={`group ${row.key}`}
            lines={[groupHeading({ ...row, selected: row.key === selection.group, width })]}
          />
        ) : (
          <ParcelRow
            key={row.parcel.id}
            parcel={row.parcel}
            {...viewing}
            columns={columns}
            hasStageHeadings={hasStageHeadings}
            pause={pause}
            shownProblem={shownProblem}
            checking={checking.has(row.parcel.id)}
            marked={marks.ids.has(row.parcel.id)}
            selected={row.parcel.id === selection.parcelId}
          />
        ),
      )}
    </Pane>
  );
}

/** The row of a parcel. Most keys change two of them: the others are not written again. */
const ParcelRow = memo(function ParcelRow({ parcel, ...input }: ListRowInput & { readonly parcel: Parcel }) {
  return <Lines lines={[listRow(parcel, input)]} />;
});

/** What stands around the list. */
function listFrame({ arrangement, marks, selection, ui }: ParcelListProps): FrameTexts {
  const filter = ui.filter.text;
  const marked = marksText(marks);
  const matching = filter === '' ? '' : `“${filter}” · `;
  return {
    title: `${ui.listed === 'archive' ? 'Archive' : 'Parcels'} · ${matching}${sortingTitle(ui.sorting)}`,
    status: positionText(arrangement, selection.position),
    ...(marked === null ? {} : { titleRight: marked }),
  };
}

/** Where the selection stands among the listed parcels; of a filter, too, how many there are without it. */
function positionText({ order, unfiltered }: Arrangement, position: number): string {
  const [listed, all] = [order.length, unfiltered.length];
  const here = position === -1 ? String(listed) : `${position + 1} of ${listed}`;
  return listed === all ? here : `${here} · ${all} in all`;
}

/** What an empty list says. */
function emptyListText({ arrangement, isSetUp, ui }: ParcelListProps): string {
  if (arrangement.unfiltered.length > 0) return ' No parcel matches. Esc clears the filter.';
  if (ui.listed === 'archive') return ' Nothing is archived. A goes back to the watched parcels.';
  return isSetUp
    ? ' No parcels yet. Press a and type a number.'
    : ' No parcels yet. a takes a number, C sets up the service.';
}
