import type { Fact } from '../../board/setup/board-setup.ts';
import type { Line } from '../../board/text/line.ts';
import { paragraphLines } from '../../board/text/paragraph.ts';

/** The details below each other, in a pane of so many cells. */
export function detailsText(details: readonly Fact[], width: number): readonly Line[] {
  const room = Math.max(10, width - 1);
  return details.flatMap(({ name, value }) => [
    ...paragraphLines(name, room, { bold: true }, 1),
    ...paragraphLines(value, room, {}, 3),
  ]);
}
