import type { StageCounts } from '../../board/header/header-counts.ts';
import { headerRow } from '../../board/header/header-row.ts';
import { columnHeadingLine, headingRows } from '../../board/list/column-headings.ts';
import { groupHeading } from '../../board/list/group-heading.ts';
import { listColumns } from '../../board/list/list-columns.ts';
import { listRow } from '../../board/list/list-row.ts';
import { fitLine, lineWidth } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';
import { paint } from '../../board/text/paint.ts';
import { barLine, barText } from '../add/bar-text.ts';
import type { SeenBoard } from '../board.ts';
import { footerLine, footerOf } from '../footer/footer-line.ts';
import { bannerRows } from '../header/banner.ts';
import type { Layout, PaneSize } from '../layout.ts';
import { countListed, emptyListLine, groupInput, isListFocused, listFrame, parcelInput } from '../list/list-lines.ts';
import { innerSize } from '../pane/frame.ts';
import { paneRows } from '../pane/pane-rows.ts';
import { timelineFrame } from '../timeline/timeline-frame.ts';

/** What is known of all parcels where they are not at hand. */
export interface KnownOfAll {
  readonly counts: StageCounts;
  /** How many could be listed. */
  readonly count: number;
}

/**
 * The rows of a board's frame with their colours, as Ink draws them from the same lines: so that the first frame need not
 * wait until Ink is loaded. Null where the window has no room for a board, or something else stands in place of its panes.
 */
export function firstFrame(board: SeenBoard, known: KnownOfAll | null = null): readonly string[] | null {
  const { columns, layout } = board;
  if (layout.kind === 'too-small' || board.overlay !== null) return null;
  const counted = known?.counts ?? board.counted;
  const lines = [
    headerRow({
      parcels: board.state.parcels,
      polling: board.polling,
      now: board.now,
      zone: board.zone,
      width: columns,
      badge: board.badge,
      isSilent: board.isSilent,
      isArchive: board.ui.listed === 'archive',
      ...(counted === undefined ? {} : { counted }),
    }),
    ...bannerRows(board.banner, columns),
    ...panes(board, layout, known),
    barLine(barText(board), columns),
    footerLine(footerOf(board)),
  ];
  // A row that is longer than the window would go on in the next one.
  return lines.map((line) => paint(lineWidth(line) > columns ? fitLine(line, columns) : line, board));
}

function panes(
  board: SeenBoard,
  layout: Exclude<Layout, { kind: 'too-small' }>,
  known: KnownOfAll | null,
): readonly Line[] {
  if (layout.kind === 'single') {
    return layout.pane === 'list' ? listPane(board, layout.list, known) : timelinePane(board, layout.timeline);
  }
  const list = listPane(board, layout.list, known);
  const timeline = timelinePane(board, layout.timeline);
  if (layout.kind === 'stacked') return [...list, ...timeline];
  return list.map((line, row) => [...line, ...(timeline[row] ?? [])]);
}

function listPane(board: SeenBoard, size: PaneSize, known: KnownOfAll | null): readonly Line[] {
  const { arrangement, list, state, ui } = board;
  const { height, width } = innerSize(size);
  const all = known?.count ?? countListed(state.parcels, ui.listed);
  const columns = listColumns(width, board.needs());
  const hasHeadings = arrangement.order.length > 0 && headingRows(height) > 0;
  const lines = [
    ...(hasHeadings ? [columnHeadingLine(columns)] : []),
    ...(list.rows.length === 0 ? [emptyListLine(board, all)] : []),
    ...list.rows.map((row) =>
      row.kind === 'heading'
        ? groupHeading(groupInput(board, row, width))
        : listRow(row.parcel, parcelInput(board, row.parcel, columns)),
    ),
  ];
  return paneRows(listFrame(board, all), size, isListFocused(board), lines);
}

const timelinePane = (board: SeenBoard, size: PaneSize): readonly Line[] =>
  paneRows(timelineFrame(board), size, board.ui.focus === 'timeline', board.timeline.lines);
