import type { LegendGroup } from '../../board/status/legend.ts';
import { cellWidth, fitLine, wrap } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';
import type { Block } from '../pane/text-columns.ts';

/** Cells before a sign. */
const margin = 2;

/** What some signs mean, under their heading; nothing of it can be selected. */
export function legendBlock({ entries, title }: LegendGroup, width: number): Block {
  const signWidth = Math.max(...entries.map(({ sign }) => cellWidth(sign.text)));
  const lines = entries.flatMap(({ meaning, sign }) =>
    wrap(meaning, Math.max(8, width - margin - signWidth - 3)).map((text, row): Line => {
      const lead: Line = [{ text: ' '.repeat(margin) }, ...(row === 0 ? [sign] : [])];
      return [...fitLine(lead, margin + signWidth + 2), { text }];
    }),
  );
  return { lines: [[{ text: ` ${title}`, bold: true }], ...lines], spans: [] };
}
