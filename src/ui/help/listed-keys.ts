import type { Board } from '../app/board.ts';
import { keysOf } from '../app/keymap.ts';
import { keyContextOf } from '../app/state.ts';
import { whyDisabled } from '../keys/binding.ts';
import type { ListedKey } from './help-text.ts';
import { type HelpItem, searchHelp } from './search.ts';

/** The keys that the help lists on a board, as it is without the help. */
export function listedKeys(board: Board): readonly ListedKey[] {
  return searchHelp(keyContextOf(board.ui), board.ui.helpQuery.text).map((item) => ({
    ...item,
    why: whyNot(item, board),
  }));
}

/** Why a key does nothing where the help was opened; null when it does. */
function whyNot({ binding, context, group }: HelpItem, board: Board): string | null {
  const here = keysOf(keyContextOf(board.ui));
  if (context !== 'global' && context !== here.context) return `Works in “${group}” only.`;
  const isReached = context !== 'global' || binding.always === true || here.isClosed !== true;
  if (!isReached && !here.bindings.includes(binding)) return `Close “${here.title}” first.`;
  return whyDisabled(binding, board);
}
