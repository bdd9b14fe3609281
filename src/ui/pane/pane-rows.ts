import { fitLine } from '../../board/text/cells.ts';
import type { Line, Segment } from '../../board/text/line.ts';
import type { PaneSize } from '../layout.ts';
import { type FrameTexts, frameEdges, frameStyle, innerSize } from './frame.ts';

/** The side of a pane's frame. */
export const frameSide = (isFocused: boolean): Segment => ({ text: '│', ...frameStyle(isFocused) });

/** A pane as rows of a window, as many as it is high, each exactly as wide as it is. */
export function paneRows(
  texts: FrameTexts,
  size: PaneSize,
  isFocused: boolean,
  lines: readonly Line[],
): readonly Line[] {
  const [top, bottom] = frameEdges(texts, size.width, isFocused);
  const { height, width } = innerSize(size);
  const side = frameSide(isFocused);
  const within = Array.from({ length: height }, (_, row): Line => [side, ...fitLine(lines[row] ?? [], width), side]);
  return [top, ...within, bottom];
}
