import { lineWidth } from '../text/cells.ts';
import type { Line } from '../text/line.ts';
import { headerGap, headerMargin } from './fit-header.ts';
import { type HeaderInput, headerText } from './header.ts';

/** The header as one line, at most as wide as it may be, without blanks behind it. */
export function headerRow(input: HeaderInput): Line {
  const { left, right } = headerText(input);
  const pieces = left.flatMap((piece, index) => (index === 0 ? piece : [blank(headerGap), ...piece]));
  const rest = input.width - 2 * headerMargin - lineWidth(pieces) - lineWidth(right);
  return [blank(headerMargin), ...pieces, ...(right.length === 0 ? [] : [blank(Math.max(0, rest)), ...right])];
}

const blank = (width: number): Line[number] => ({ text: ' '.repeat(width) });
