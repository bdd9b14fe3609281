import { Text, useCursor } from 'ink';
import { cellWidth, fitLine } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';
import { paint, type Theme } from '../theme.ts';
import { fieldView } from './field-view.ts';
import type { TextEdit } from './text-edit.ts';

/** What the line under the panes shows. */
export interface InputLineProps {
  /** `add` or `filter`. */
  readonly name: string;
  readonly edit: TextEdit;
  readonly placeholder: string;
  readonly focused: boolean;
  /** Whether it is a question that one key answers; then nothing is typed, and the question itself is what matters. */
  readonly isQuestion?: boolean;
  /** Screen row, from 0; the terminal's own cursor goes there, so that input methods open in the right place. */
  readonly row: number;
  readonly width: number;
  readonly theme: Theme;
}

/** The input bar, or the filter in its place. */
export function InputLine({ name, edit, placeholder, focused, isQuestion = false, row, width, theme }: InputLineProps) {
  const { setCursorPosition } = useCursor();
  const arrow = theme.glyphs === 'symbols' ? '▸' : '>';
  const prompt = ` ${name} ${arrow} `;
  const start = cellWidth(prompt);
  const view = fieldView(edit, Math.max(2, width - start - 1));
  setCursorPosition(focused ? { x: start + view.cursorCell, y: row } : undefined);
  const content: Line = isQuestion
    ? [{ text: placeholder, bold: true }]
    : edit.text === ''
      ? [{ text: placeholder, tone: 'quiet' }]
      : [{ text: view.text, dim: !focused }];
  const tone = isQuestion ? 'attention' : focused ? 'accent' : 'quiet';
  const line = fitLine([{ text: prompt, bold: focused || isQuestion, tone }, ...content], width);
  return <Text wrap="truncate">{paint(line, theme)}</Text>;
}
