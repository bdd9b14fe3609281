import type { Board } from '../board.ts';
import { contextBeneath } from '../state.ts';
import type { ListedKey } from './help-text.ts';
import { type HelpItem, searchHelp } from './search.ts';

/** The keys that the help lists on a board, as it is without the help. */
export function listedKeys(board: Board): readonly ListedKey[] {
  return searchHelp(contextBeneath(board.ui), board.ui.helpQuery.text).map((item) => ({
    ...item,
    why: whyNot(item, board),
  }));
}

/** Why a key does nothing where the help was opened; null when it does. */
function whyNot({ binding, context, group }: HelpItem, board: Board): string | null {
  if (context !== 'global' && context !== contextBeneath(board.ui)) return `Works in “${group}” only.`;
  return binding.disabled?.(board) ?? null;
}
