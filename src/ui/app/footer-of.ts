import { filterMessage } from '../filter/message.ts';
import type { FooterProps } from '../footer/footer.tsx';
import type { Message } from '../footer/state.ts';
import type { Board } from './board.ts';
import { footerBindings } from './keymap.ts';
import { keyContextOf } from './state.ts';

/** The footer of the board. A message that the lines under the header say, too, is left out, and one that is so no more. */
export function footerOf(board: Board): FooterProps {
  const { columns, glyphs, overlay, state, ui } = board;
  const { notices, polling } = state;
  const isSaid = (text: string): boolean =>
    // They may say besides what follows from it.
    polling.problem?.message.includes(text) === true ||
    notices.some((notice) => notice.includes(text)) ||
    (overlay?.name === 'setup' && ui.message?.tone === 'attention');
  const isOver = ({ isCutOff = false }: Message): boolean => isCutOff && polling.cutOffSince === null;
  const isLeftOut = ui.message !== null && (isSaid(ui.message.text) || isOver(ui.message));
  const message = isLeftOut ? null : (ui.message ?? filterMessage(board));
  const bindings = footerBindings(keyContextOf(ui))
    .filter(({ isHinted }) => isHinted?.(board) ?? true)
    .map((binding) => (binding.hintNow === undefined ? binding : { ...binding, hint: binding.hintNow(board) }));
  return { bindings, message, width: columns, glyphs };
}
