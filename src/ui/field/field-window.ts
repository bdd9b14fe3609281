import { cellWidth } from '../../board/text/cells.ts';
import { inOneLine } from './pasted-text.ts';
import type { TextEdit } from './text-edit.ts';

/** The part of a line of text that fits a field, and where the cursor stands in it. */
export interface FieldWindow {
  /** At most `width` cells. */
  readonly text: string;
  /** Cells before the cursor. */
  readonly cursorCell: number;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Cuts an edited text to a field of `width` cells so that the cursor stays in sight, at the end with room for one more cell. */
export function fieldWindow({ text: whole, cursor }: TextEdit, width: number): FieldWindow {
  const edit = { text: inOneLine(whole), cursor: inOneLine(whole.slice(0, cursor)).length };
  const room = Math.max(1, width - 1);
  let start = 0;
  let cursorCell = cellWidth(edit.text.slice(0, edit.cursor));
  for (const { segment, index } of graphemes.segment(edit.text.slice(0, edit.cursor))) {
    if (cursorCell <= room) break;
    cursorCell -= cellWidth(segment);
    start = index + segment.length;
  }
  let text = '';
  let cells = 0;
  for (const { segment } of graphemes.segment(edit.text.slice(start))) {
    const next = cells + cellWidth(segment);
    if (next > width) break;
    text += segment;
    cells = next;
  }
  return { text, cursorCell };
}
