import { fitLine, lineWidth } from '../../board/text/cells.ts';
import { paint } from '../../board/text/paint.ts';
import { barLine, barText } from '../add/bar-text.ts';
import type { SeenBoard } from '../board.ts';
import { footerLine, footerOf } from '../footer/footer-line.ts';
import { headerRows } from '../header/header-lines.ts';
import { KeptRows } from '../list/kept-rows.ts';
import { shownPanes } from '../main-panes.ts';
import { type PaneContent, paneRows } from '../pane/frame.ts';

/** What a frame is made with that is drawn without Ink. */
interface FirstFrameParts {
  /** What stands in place of the panes; null where they are shown. */
  readonly covering?: PaneContent | null;
  /** Writes the rows of the list. */
  readonly kept?: KeptRows;
}

/**
 * The rows of a board's frame with their colours, as Ink draws them from the same lines: so that the first frame need not
 * wait until Ink is loaded. Null where the window has no room for a board, or something else stands in place of its panes.
 */
export function firstFrame(
  board: SeenBoard,
  { covering = null, kept = new KeptRows() }: FirstFrameParts = {},
): readonly string[] | null {
  const { columns, layout } = board;
  if (layout.kind === 'too-small' || (board.overlay !== null && covering === null)) return null;
  const panes = (covering === null ? shownPanes(board, layout, kept) : [covering]).map(paneRows);
  const [list = [], timeline = []] = panes;
  const lines = [
    ...headerRows(board),
    ...(layout.kind === 'side-by-side' && covering === null
      ? list.map((line, row) => [...line, ...(timeline[row] ?? [])])
      : panes.flat()),
    barLine(barText(board), columns),
    footerLine(footerOf(board)),
  ];
  // A row that is longer than the window would go on in the next one.
  return lines.map((line) => paint(lineWidth(line) > columns ? fitLine(line, columns) : line, board));
}
