import { cellWidth, cut } from '../../board/text/cells.ts';
import type { Line, Segment } from '../../board/text/line.ts';
import type { PaneSize } from '../layout.ts';

/** What stands around a pane's content. */
export interface FrameTexts {
  readonly title: string;
  /** Right end of the upper edge. */
  readonly titleRight?: string;
  /** Right end of the lower edge. */
  readonly status?: string;
}

/** The inside of a pane. */
export const innerSize = (size: PaneSize): PaneSize => ({
  width: Math.max(0, size.width - 2),
  height: Math.max(0, size.height - 2),
});

const frameStyle = (isFocused: boolean): Pick<Segment, 'tone'> => ({ tone: isFocused ? 'accent' : 'quiet' });

function edge(ends: readonly [string, string], width: number, left: string, right: string, isFocused: boolean): Line {
  const room = Math.max(0, width - 2);
  const rightText = right === '' || cellWidth(right) + 4 > room ? '' : ` ${right} `;
  const leftRoom = room - cellWidth(rightText) - (rightText === '' ? 0 : 1);
  const leftText = left === '' || leftRoom < 4 ? '' : ` ${cut(left, leftRoom - 2)} `;
  const tail = rightText === '' ? '' : '─';
  const fill = '─'.repeat(Math.max(0, room - cellWidth(leftText) - cellWidth(rightText) - cellWidth(tail)));
  const style = frameStyle(isFocused);
  return [
    { text: ends[0], ...style },
    { text: leftText, bold: isFocused, ...(isFocused ? {} : { tone: 'plain' as const }) },
    { text: fill, ...style },
    { text: rightText, tone: 'quiet' },
    { text: tail + ends[1], ...style },
  ];
}

/** A pane as it is drawn. */
export interface PaneContent {
  readonly texts: FrameTexts;
  readonly size: PaneSize;
  readonly isFocused: boolean;
  /** From its top; below them it is blank. */
  readonly lines: readonly Line[];
}

/** The upper and the lower edge of a pane, as wide as it is, and a cell of its sides. */
export const frameOf = ({ isFocused, size: { width }, texts }: Omit<PaneContent, 'lines'>) => ({
  top: edge(['╭', '╮'], width, texts.title, texts.titleRight ?? '', isFocused),
  bottom: edge(['╰', '╯'], width, '', texts.status ?? '', isFocused),
  side: { text: '│', ...frameStyle(isFocused) },
});
