import { columnTable } from '../../board/columns.ts';
import { rowSymbols } from '../../board/status/legend.ts';
import { fitText } from '../../lib/cells.ts';
import type { Line } from '../../lib/paint.ts';
import type { PaneSize } from '../layout.ts';
import { centredFrom, innerSize } from '../pane/frame.ts';
import { Pane } from '../pane/pane.tsx';
import type { ColumnChoice } from '../ui-state.ts';

/** Cells of the longest title and the gap after it. */
const titleWidth = 12;

interface ColumnMenuProps {
  readonly choice: ColumnChoice;
  readonly size: PaneSize;
}

export function ColumnMenu({ choice: { index, isUsual, names, shown }, size }: ColumnMenuProps) {
  const { height } = innerSize(size);
  const from = centredFrom(index, names.length, height);
  const lines = names.slice(from, from + height).map((name, row): Line => {
    const isSelected = from + row === index;
    const isShown = shown.has(name);
    const { about, title } = columnTable[name];
    return [
      { text: isSelected ? '▌' : ' ', tone: 'accent', bold: true },
      { text: isShown ? `${rowSymbols.marked} ` : '  ', tone: 'accent' },
      { text: fitText(title, titleWidth), bold: isSelected, dim: !isShown },
      { text: about, dim: true },
    ];
  });
  const status = isUsual ? 'chosen by width' : `${shown.size} of ${names.length}`;
  return <Pane texts={{ title: 'Columns', status }} size={size} isFocused lines={lines} />;
}
