import type { Board } from '../board.ts';
import { Painted } from '../pane/painted.tsx';
import { footerLine, footerOf } from './footer-line.ts';

/** The footer of the board. */
export function Footer({ board }: { readonly board: Board }) {
  return <Painted line={footerLine(footerOf(board))} />;
}
