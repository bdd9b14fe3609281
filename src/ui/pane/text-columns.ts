import { fitLine } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';

/** Rows that stay together, and which of them belong to what can be selected. */
export interface Block {
  readonly lines: readonly Line[];
  /** From row to row, the last one not included. */
  readonly spans: readonly Span[];
}

/** Rows of one thing that can be selected. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const height = ({ lines }: Block): number => lines.length;

/** Blocks below each other, with a blank row between them. */
function stacked(blocks: readonly Block[]): Block {
  const lines: Line[] = [];
  const spans: Span[] = [];
  for (const block of blocks) {
    if (lines.length > 0) lines.push([]);
    const above = lines.length;
    lines.push(...block.lines);
    spans.push(...block.spans.map(({ from, to }) => ({ from: from + above, to: to + above })));
  }
  return { lines, spans };
}

/** Fills columns from left to right, none higher than `most` rows. */
function filled(blocks: readonly Block[], most: number): readonly (readonly Block[])[] {
  const columns: Block[][] = [];
  /** Rows of the last column. */
  let rows = 0;
  for (const block of blocks) {
    const last = columns.at(-1);
    const below = rows + (rows > 0 ? 1 : 0) + height(block);
    if (last !== undefined && below <= most) {
      last.push(block);
      rows = below;
    } else {
      columns.push([block]);
      rows = height(block);
    }
  }
  return columns;
}

/** Blocks in at most so many columns of `width` cells, in their order, as low as they can be; no block is cut in two. */
export function inColumns(blocks: readonly Block[], count: number, width: number, gap: number): Block {
  if (count <= 1) return stacked(blocks);
  let most = Math.max(0, ...blocks.map(height));
  while (filled(blocks, most).length > count) most += 1;
  const columns = filled(blocks, most).map(stacked);
  const rows = Math.max(0, ...columns.map(height));
  const space: Line = [{ text: ' '.repeat(gap) }];
  const lines = Array.from({ length: rows }, (_, row) =>
    columns.flatMap(({ lines: column }, index): Line => {
      const line = column[row] ?? [];
      return index === columns.length - 1 ? line : [...fitLine(line, width), ...space];
    }),
  );
  return { lines, spans: columns.flatMap(({ spans }) => spans) };
}
