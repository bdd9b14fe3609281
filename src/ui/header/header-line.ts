import { type HeaderInput, headerGap, headerMargin, headerText } from '../../board/header/header.ts';
import { fitLine, lineWidth } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';

const blanks = (cells: number): Line => [{ text: ' '.repeat(cells) }];

/** In place of the header where only found numbers are shown. */
export const aloneTitle: Line = [
  { text: ' parcel-monitor', bold: true },
  { text: '  choose what is added', tone: 'quiet' },
];

/** The header as one line: its pieces on the left, and the state of polling at the right edge. */
export function headerLine(input: HeaderInput): Line {
  const { left, right } = headerText(input);
  const pieces = left.flatMap((line, index) => (index === 0 ? line : [...blanks(headerGap), ...line]));
  const room = input.width - 2 * headerMargin - lineWidth(right);
  const line = room < 0 ? fitLine(right, input.width - 2 * headerMargin) : [...fitLine(pieces, room), ...right];
  return [...blanks(headerMargin), ...line];
}
