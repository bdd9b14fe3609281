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
import { bannerRows, headerOf } from '../header/header-lines.ts';
import type { Layout, PaneSize } from '../layout.ts';
import { emptyListLine, groupInput, isListFocused, listFrame, parcelInput } from '../list/list-lines.ts';
import { innerSize } from '../pane/frame.ts';
import { paneRows } from '../pane/pane-rows.ts';
import { timelineFrame } from '../timeline/timeline-frame.ts';

/**
 * The rows of a board's frame with their colours, as Ink draws them from the same lines: so that the first frame need not
 * wait until Ink is loaded. Null where the window has no room for a board, or something else stands in place of its panes.
 */
export function firstFrame(board: SeenBoard): readonly string[] | null {
  const { columns, layout } = board;
  if (layout.kind === 'too-small' || board.overlay !== null) return null;
  const lines = [
    headerRow(headerOf(board)),
    ...bannerRows(board.banner, columns),
    ...panes(board, layout),
    barLine(barText(board), columns),
    footerLine(footerOf(board)),
  ];
  // A row that is longer than the window would go on in the next one.
  return lines.map((line) => paint(lineWidth(line) > columns ? fitLine(line, columns) : line, board));
}

function panes(board: SeenBoard, layout: Exclude<Layout, { kind: 'too-small' }>): readonly Line[] {
  if (layout.kind === 'single') {
    return layout.pane === 'list' ? listPane(board, layout.list) : timelinePane(board, layout.timeline);
  }
  const list = listPane(board, layout.list);
  const timeline = timelinePane(board, layout.timeline);
  if (layout.kind === 'stacked') return [...list, ...timeline];
  return list.map((line, row) => [...line, ...(timeline[row] ?? [])]);
}

function listPane(board: SeenBoard, size: PaneSize): readonly Line[] {
  const { arrangement, list } = board;
  const { height, width } = innerSize(size);
  const columns = listColumns(width, board.needs());
  const hasHeadings = arrangement.order.length > 0 && headingRows(height) > 0;
  const lines = [
    ...(hasHeadings ? [columnHeadingLine(columns)] : []),
    ...(list.rows.length === 0 ? [emptyListLine(board)] : []),
    ...list.rows.map((row) =>
      row.kind === 'heading'
        ? groupHeading(groupInput(board, row, width))
        : listRow(row.parcel, parcelInput(board, row.parcel, columns)),
    ),
  ];
  return paneRows(listFrame(board), size, isListFocused(board), lines);
}

const timelinePane = (board: SeenBoard, size: PaneSize): readonly Line[] =>
  paneRows(timelineFrame(board), size, board.ui.focus === 'timeline', board.timeline.lines);
