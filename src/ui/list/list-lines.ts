import { columnNeeds } from '../../board/list/column-needs.ts';
import type { GroupHeadingInput } from '../../board/list/group-heading.ts';
import type { ColumnNeeds, ListColumns } from '../../board/list/list-columns.ts';
import type { ListRowInput } from '../../board/list/list-row.ts';
import type { HeadingRow } from '../../board/list/list-rows.ts';
import { sortingTitle } from '../../board/list/sort-orders.ts';
import type { Line } from '../../board/text/line.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { SeenBoard } from '../board.ts';
import { marksText } from '../marks/state.ts';
import type { FrameTexts } from '../pane/frame.ts';

/** What a list's columns depend on. */
export interface ColumnSource extends Pick<SeenBoard, 'now' | 'usual' | 'zone'> {
  readonly arrangement: Pick<SeenBoard['arrangement'], 'grouping' | 'unfiltered'>;
}

/** What the columns need: they stay where they are while a filter is typed, since they fit what is listed without it. */
export const listNeeds = ({ arrangement, now, usual, zone }: ColumnSource): ColumnNeeds =>
  columnNeeds(arrangement.unfiltered, { now, usual, zone, hasStageHeadings: arrangement.grouping === 'stage' });

/** What stands around the list. */
export function listFrame({ arrangement, marks, selection, ui }: SeenBoard): FrameTexts {
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
function positionText({ order, unfiltered }: SeenBoard['arrangement'], position: number): string {
  const [listed, all] = [order.length, unfiltered.length];
  const here = position === -1 ? String(listed) : `${position + 1} of ${listed}`;
  return listed === all ? here : `${here} · ${all} in all`;
}

/** Whether keys go to the list. */
export const isListFocused = ({ ui }: SeenBoard): boolean => ui.focus === 'list' || ui.focus === 'filter';

/** What an empty list says. */
export function emptyListLine({ arrangement, setup, ui }: SeenBoard): Line {
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

/** What the row of a group depends on. */
export const groupInput = ({ selection }: SeenBoard, row: HeadingRow, width: number): GroupHeadingInput => ({
  title: row.title,
  count: row.count,
  isCollapsed: row.isCollapsed,
  unread: row.unread,
  attention: row.attention,
  selected: row.key === selection.group,
  width,
});

/** What the row of a parcel depends on besides the parcel. */
export function parcelInput(board: SeenBoard, { id }: Parcel, columns: ListColumns): ListRowInput {
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
