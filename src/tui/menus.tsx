import { columnTable } from '../board/columns.ts';
import { type Sorting, sortingTitle, sortingWords, sortOrders } from '../board/list/sort-orders.ts';
import { rowSymbols } from '../board/status/legend.ts';
import { fitText } from '../lib/cells.ts';
import type { Line } from '../lib/paint.ts';
import type { PaneSize } from './layout.ts';
import { centredFrom, innerSize } from './pane/frame.ts';
import { Pane } from './pane/pane.tsx';
import type { ColumnChoice } from './ui-state.ts';

/** Width of the longest order and the gap after it, in cells. */
const orderWidth = 24;

interface OrderMenuProps {
  readonly sorting: Sorting;
  readonly size: PaneSize;
}

export function OrderMenu({ size, sorting }: OrderMenuProps) {
  const { height } = innerSize(size);
  const at = sortOrders.indexOf(sorting.order);
  const from = centredFrom(at, sortOrders.length, height);
  const lines = sortOrders.slice(from, from + height).map((order): Line => {
    const isChosen = order === sorting.order;
    const offered = isChosen ? sorting : { order, isReversed: false };
    const { first } = sortingWords(offered);
    return [
      { text: isChosen ? '▌ ' : '  ', tone: 'accent', bold: true },
      { text: fitText(sortingTitle(offered), orderWidth), bold: isChosen },
      { text: first, dim: !isChosen },
    ];
  });
  const texts = { title: 'Order', status: `${at + 1} of ${sortOrders.length}` };
  return <Pane texts={texts} size={size} isFocused lines={lines} />;
}

/** Width of the longest title and the gap after it, in cells. */
const columnWidth = 12;

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
      { text: fitText(title, columnWidth), bold: isSelected, dim: !isShown },
      { text: about, dim: true },
    ];
  });
  const status = isUsual ? 'chosen by width' : `${shown.size} of ${names.length}`;
  return <Pane texts={{ title: 'Columns', status }} size={size} isFocused lines={lines} />;
}
