import { cellWidth, cut, fitLine, lineWidth } from '../../board/text/cells.ts';
import type { GlyphSet, Line, Segment } from '../../board/text/line.ts';
import { frameGlyphs } from '../theme.ts';

/** What stands around a pane's content. */
export interface FrameTexts {
  readonly title: string;
  /** Right end of the upper edge. */
  readonly titleRight?: string;
  /** Right end of the lower edge. */
  readonly status?: string;
}

const edgeStyle = (focused: boolean): Pick<Segment, 'tone' | 'dim'> =>
  focused ? { tone: 'accent' } : { tone: 'quiet' };

function edge(
  ends: readonly [string, string],
  horizontal: string,
  width: number,
  left: string,
  right: string,
  focused: boolean,
): Line {
  const room = Math.max(0, width - 2);
  const rightText = right === '' || cellWidth(right) + 4 > room ? '' : ` ${right} `;
  const leftRoom = room - cellWidth(rightText) - (rightText === '' ? 0 : 1);
  const leftText = left === '' || leftRoom < 4 ? '' : ` ${cut(left, leftRoom - 2)} `;
  const tail = rightText === '' ? '' : horizontal;
  const fill = horizontal.repeat(Math.max(0, room - cellWidth(leftText) - cellWidth(rightText) - cellWidth(tail)));
  const style = edgeStyle(focused);
  return [
    { text: ends[0], ...style },
    { text: leftText, bold: focused, ...(focused ? {} : { tone: 'plain' as const }) },
    { text: fill, ...style },
    { text: rightText, tone: 'quiet' },
    { text: tail + ends[1], ...style },
  ];
}

/** A pane as lines of exactly `width` cells, exactly `height` of them, with its frame. Surplus content is left out. */
export function framed(
  content: readonly Line[],
  texts: FrameTexts,
  size: { readonly width: number; readonly height: number },
  focused: boolean,
  glyphs: GlyphSet,
): readonly Line[] {
  const frame = frameGlyphs(glyphs);
  const style = edgeStyle(focused);
  const inner = Math.max(0, size.width - 2);
  const rows = Array.from({ length: Math.max(0, size.height - 2) }, (_, row): Line => {
    const line = content[row] ?? [];
    const fitted = lineWidth(line) === inner ? line : fitLine(line, inner);
    return [{ text: frame.vertical, ...style }, ...fitted, { text: frame.vertical, ...style }];
  });
  return [
    edge([frame.topLeft, frame.topRight], frame.horizontal, size.width, texts.title, texts.titleRight ?? '', focused),
    ...rows,
    edge([frame.bottomLeft, frame.bottomRight], frame.horizontal, size.width, '', texts.status ?? '', focused),
  ];
}
