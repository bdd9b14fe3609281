import { type Sorting, sortingTitle, sortingWords, sortOrders } from '../board/list/sort-orders.ts';
import { fitText } from '../lib/cells.ts';
import type { Line } from '../lib/paint.ts';
import type { PaneSize } from './layout.ts';
import { centredFrom, innerSize } from './pane/frame.ts';
import { Pane } from './pane/pane.tsx';

/** Cells of the longest order and the gap after it. */
const titleWidth = 24;

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
      { text: fitText(sortingTitle(offered), titleWidth), bold: isChosen },
      { text: first, dim: !isChosen },
    ];
  });
  const texts = { title: 'Order', status: `${at + 1} of ${sortOrders.length}` };
  return <Pane texts={texts} size={size} isFocused lines={lines} />;
}
