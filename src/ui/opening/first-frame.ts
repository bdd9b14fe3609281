import { fitLine, lineWidth } from '../../board/text/cells.ts';
import { paint } from '../../board/text/paint.ts';
import { barLine, barText } from '../add/bar-text.ts';
import type { SeenBoard } from '../board.ts';
import { footerLine, footerOf } from '../footer/footer-line.ts';
import { headerRows } from '../header/header-lines.ts';
import { KeptRows } from '../list/kept-rows.ts';
import { shownPanes } from '../main-panes.ts';
import { paneRows } from '../pane/frame.ts';

/**
 * The rows of a board's frame with their colours, as Ink draws them from the same lines: so that the first frame need not
 * wait until Ink is loaded. Null where the window has no room for a board, or something else stands in place of its panes.
 */
export function firstFrame(board: SeenBoard): readonly string[] | null {
  const { columns, layout } = board;
  if (layout.kind === 'too-small' || board.overlay !== null) return null;
  const panes = shownPanes(board, layout, new KeptRows()).map(paneRows);
  const [list = [], timeline = []] = panes;
  const lines = [
    ...headerRows(board),
    ...(layout.kind === 'side-by-side' ? list.map((line, row) => [...line, ...(timeline[row] ?? [])]) : panes.flat()),
    barLine(barText(board), columns),
    footerLine(footerOf(board)),
  ];
  // A row that is longer than the window would go on in the next one.
  return lines.map((line) => paint(lineWidth(line) > columns ? fitLine(line, columns) : line, board));
}
