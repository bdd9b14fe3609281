import type { Board } from '../board.ts';
import { Painted } from '../pane/painted.tsx';
import { type FooterInput, footerLine, footerOf } from './footer-line.ts';

/** The footer of the board. */
export function Footer({ board }: { readonly board: Board }) {
  return <FooterLine {...footerOf(board)} />;
}

/** The keys of the focused pane, behind a message as far as there is room for both. */
export function FooterLine(input: FooterInput) {
  return <Painted line={footerLine(input)} />;
}
