import { wrap } from './cells.ts';
import type { Line, Segment } from './line.ts';

/** A text of one look in as many rows as it needs, each some cells from the left. */
export function paragraphLines(
  text: string,
  width: number,
  style: Omit<Segment, 'text'> = {},
  indent = 0,
): readonly Line[] {
  return wrap(text, width - indent).map((row): Line => {
    const segment = { ...style, text: row };
    return indent === 0 ? [segment] : [{ text: ' '.repeat(indent) }, segment];
  });
}
