import { columnHeadingLine, headingRows } from '../../board/list/column-headings.ts';
import { groupHeading } from '../../board/list/group-heading.ts';
import type { ListRowInput } from '../../board/list/list-row.ts';
import { sortingTitle } from '../../board/list/sort-orders.ts';
import type { Line } from '../../board/text/line.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from '../app/board.ts';
import type { PaneSize } from '../layout.ts';
import { marksText } from '../marks/state.ts';
import { type FrameTexts, innerSize, type PaneContent } from '../pane/frame.ts';
import type { KeptRows } from './kept-rows.ts';

/** The parcels in their order, as far as they are in sight. */
export function listPane(board: Board, size: PaneSize, kept: KeptRows): PaneContent {
  const { arrangement, list, needs, ui } = board;
  const { height, width } = innerSize(size);
  const columns = kept.columns(width, needs());
  const lines = [
    ...(arrangement.order.length > 0 && headingRows(height) > 0 ? [columnHeadingLine(columns)] : []),
    ...(list.rows.length === 0 ? [emptyListLine(board)] : []),
    ...list.rows.map((row) =>
      row.kind === 'heading'
        ? groupHeading({ ...row, selected: row.key === board.selection.group, width })
        : kept.row(row.parcel, parcelInput(board, row.parcel, columns)),
    ),
  ];
  return { texts: listFrame(board), size, isFocused: ui.focus === 'list' || ui.focus === 'filter', lines };
}

/** What stands around the list. */
function listFrame({ arrangement, marks, selection, ui }: Board): FrameTexts {
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
function positionText({ order, unfiltered }: Board['arrangement'], position: number): string {
  const [listed, all] = [order.length, unfiltered.length];
  const here = position === -1 ? String(listed) : `${position + 1} of ${listed}`;
  return listed === all ? here : `${here} · ${all} in all`;
}

/** What an empty list says. */
function emptyListLine({ arrangement, setup, ui }: Board): Line {
  const text =
    arrangement.unfiltered.length > 0
      ? ' No parcel matches. Esc clears the filter.'
      : ui.listed === 'archive'
        ? ' Nothing is archived. A goes back to the watched parcels.'
        : setup.kind === 'ready'
          ? ' No parcels yet. Press a and type a number.'
          : ' No parcels yet. a takes a number, C sets up the service.';
  return [{ text, tone: 'quiet' }];
}

function parcelInput(board: Board, { id }: Parcel, columns: ListRowInput['columns']): ListRowInput {
  const { arrangement, marks, now, pause, selection, state, usual, zone } = board;
  return {
    selected: id === selection.parcelId,
    marked: marks.ids.has(id),
    checking: state.checking.has(id),
    now,
    zone,
    pause,
    usual,
    hasStageHeadings: arrangement.grouping === 'stage',
    shownProblem: state.polling.problem?.message ?? null,
    columns,
  };
}
