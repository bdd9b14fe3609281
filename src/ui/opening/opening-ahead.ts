import type { WindowSize } from '../terminal/window-size.ts';
import { openedState } from './opened-board.ts';
import { type AheadOptions, ReadingBoard } from './reading-board.ts';

/**
 * A board of a long watchlist that is yet to be read, with the rows of its first frame, the same that are drawn when it is; null
 * where they cannot be told without reading it.
 */
export async function openAhead(
  options: AheadOptions,
  size: WindowSize,
): Promise<{ readonly board: ReadingBoard; readonly rows: readonly string[] } | null> {
  const ui = openedState(options);
  const { order } = ui.sorting;
  const isUsual = order === 'urgency' && !ui.sorting.isReversed && ui.filter.text === '' && ui.listed === 'watched';
  if (!isUsual || ui.settingUp !== null || ui.overlay !== null) return null;
  const board = new ReadingBoard(options, ui, size);
  const rows = (await board.readFirst()) ? board.frame(true) : null;
  return rows === null ? null : { board, rows };
}
