import type { ListedKey } from '../help/help-text.ts';
import { type HelpItem, searchHelp } from '../help/search.ts';
import { whyDisabled } from '../keys/binding.ts';
import type { Board } from './board.ts';
import { keymap, keysOf } from './keymap.ts';
import { keyContextOf } from './state.ts';

/** The keys that the help lists on a board, as it is without the help. */
export function listedKeys(board: Board): readonly ListedKey<Board>[] {
  return searchHelp(keymap, keyContextOf(board.ui), board.ui.helpQuery.text).map((item) => ({
    ...item,
    why: whyNot(item, board),
  }));
}

/** Why a key does nothing where the help was opened; null when it does. */
function whyNot({ binding, context, group }: HelpItem<Board>, board: Board): string | null {
  const here = keysOf(keyContextOf(board.ui));
  if (context !== 'global' && context !== here.context) return `Works in “${group}” only.`;
  const isReached = context !== 'global' || binding.always === true || here.isClosed !== true;
  if (!isReached && !here.bindings.includes(binding)) return `Close “${here.title}” first.`;
  return whyDisabled(binding, board);
}
