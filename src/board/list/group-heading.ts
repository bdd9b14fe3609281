import { stageLooks } from '../status/stage-look.ts';
import { cellWidth, fitLine, fitText } from '../text/cells.ts';
import type { Line, Segment } from '../text/line.ts';
import type { HeadingRow } from './list-rows.ts';

/** What the heading of a group is drawn from. */
export interface GroupHeadingInput extends Omit<HeadingRow, 'kind' | 'key'> {
  /** Cells of the row. */
  readonly width: number;
  readonly selected?: boolean;
}

/** Says that a group can be opened. */
const collapsedSign = '› ';

/**
 * The heading of a group, exactly `width` cells: title on the left, number of parcels on the right; of a collapsed group its
 * sign before, and what is hidden in it and should be seen.
 */
export function groupHeading(input: GroupHeadingInput): Line {
  const { attention, count, isCollapsed, selected = false, title, unread, width } = input;
  const hidden: Segment[] = [
    ...(attention === 0
      ? []
      : [{ text: `${stageLooks.attention.symbol} ${attention} · `, tone: 'attention' as const, bold: true }]),
    ...(unread === 0 ? [] : [{ text: `${unread} unread · `, tone: 'accent' as const }]),
  ];
  const right: Line = [...hidden, { text: `${count} `, dim: true }];
  const sign = isCollapsed ? collapsedSign : '';
  const room = Math.max(0, width - 1 - sign.length - right.reduce((sum, { text }) => sum + cellWidth(text), 0));
  return fitLine(
    [
      { text: selected ? '▌' : ' ', tone: 'accent', bold: true },
      { text: sign, tone: 'accent', bold: true },
      { text: fitText(title, room), bold: true },
      ...right,
    ],
    width,
  );
}
