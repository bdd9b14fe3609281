import { fold } from '../../board/text/fold.ts';
import type { Board } from '../app/board.ts';
import { changedTo } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';

/** Puts an earlier line into the bar, or a later one; behind the latest, what was typed. */
export function recallLine(board: Board, step: 1 | -1): void {
  const { entered, draft, recall } = board.ui;
  const isBrowsing = recall !== null && recall.text === draft.text;
  const typed = isBrowsing ? recall.typed : draft;
  const wanted = fold(typed.text);
  const from = isBrowsing ? recall.index : entered.length;
  const isMatch = (index: number): boolean =>
    entered[index] !== draft.text && fold(entered[index] ?? '').includes(wanted);
  let index = from + step;
  while (index >= 0 && index < entered.length && !isMatch(index)) index += step;
  const text = entered[index];
  if (text !== undefined) {
    board.change({ draft: changedTo(draft, { text, cursor: text.length }), recall: { typed, index, text } });
    return;
  }
  if (step === 1) {
    if (isBrowsing) board.change({ draft: changedTo(draft, typed), recall: null });
    return;
  }
  showMessage(board, whyNone(entered.length, wanted === '' ? null : typed.text.trim(), isBrowsing));
}

function whyNone(count: number, wanted: string | null, isBrowsing: boolean): string {
  if (count === 0) return 'Nothing was entered here yet.';
  const what = wanted === null ? 'entry' : `entry with “${wanted}”`;
  return isBrowsing ? `There is no earlier ${what}.` : `There is no ${what}.`;
}
