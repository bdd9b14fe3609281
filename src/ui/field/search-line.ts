import type { Line } from '../../board/text/line.ts';
import type { PaneSize } from '../layout.ts';
import { innerSize } from '../pane/frame.ts';
import { fieldSegment } from './field-window.ts';
import type { TextEdit } from './text-edit.ts';

const name = ' search ';

/** Cells of a pane before the field of its search, the side of the frame included. */
export const searchColumn = 1 + name.length;

/** Cells of that field in a pane of this width. */
export const searchWidth = (size: PaneSize): number => Math.max(1, innerSize(size).width - name.length);

/** The search in the first row of a pane of this size, which has the focus. */
export const searchLine = (edit: TextEdit, placeholder: string, size: PaneSize): Line => [
  { text: name, tone: 'accent' },
  fieldSegment({ edit, placeholder, isFocused: true, width: searchWidth(size) }),
];
