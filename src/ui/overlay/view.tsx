import type { Line } from '../../board/text/line.ts';
import type { Board } from '../board.ts';
import { setupLines } from '../details/setup.ts';
import { boardDetails, DetailsTable, detailLines, fitsTable } from '../details/view.tsx';
import { helpLines } from '../help/help-text.ts';
import type { PaneSize } from '../layout.ts';
import { LinesPane } from '../pane/pane.tsx';
import { type ScrolledLines, scrollStatus } from '../pane/scroll.ts';

const titles = { help: 'Keys', details: 'Details' } as const;

/** What the text of an overlay depends on. */
type OverlaySource = Parameters<typeof boardDetails>[0] & Pick<Board, 'ui' | 'glyphs'>;

/** The open overlay, or how to set up where there is nothing to list yet. */
export function Overlay({ board, text, size }: { board: Board; text: ScrolledLines; size: PaneSize }) {
  const { setup, ui } = board;
  const details = ui.overlay === 'details' && setup.kind === 'ready' ? boardDetails(board) : null;
  if (details !== null && fitsTable(details, size, board)) return <DetailsTable details={details} size={size} />;
  const texts = { title: ui.overlay === null ? 'Set up' : titles[ui.overlay], ...scrollStatus(text) };
  return <LinesPane lines={text.lines} texts={texts} size={size} isFocused look={board} />;
}

/** The text of the open overlay, or that of the set-up in its place while there is nothing to list; null when there is none. */
export function overlayLines(board: OverlaySource, width: number): readonly Line[] | null {
  const { glyphs, setup, state, ui } = board;
  if (ui.overlay === 'help') return helpLines(width, ui.focus, glyphs);
  const steps = setup.kind === 'not-set-up' ? setupLines(setup, width) : null;
  if (ui.overlay === null) return state.parcels.length === 0 && ui.picker === null ? steps : null;
  const details = detailLines(boardDetails(board), width);
  return steps === null ? details : [...steps, [], ...details];
}
