import { type Sorting, sortingTitle, sortingWords, sortOrders } from '../../board/list/sort-orders.ts';
import { fitText } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';
import type { PaneSize } from '../layout.ts';
import { innerSize, type PaneContent } from '../pane/frame.ts';

/** Cells of the longest order and the gap behind it. */
const titleWidth = 24;

/** The orders, of which one is chosen; the list beside it shows it already. */
export function orderPane(sorting: Sorting, size: PaneSize): PaneContent {
  const { height } = innerSize(size);
  const at = sortOrders.indexOf(sorting.order);
  const from = Math.max(0, Math.min(at - Math.floor(height / 2), sortOrders.length - height));
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
  return { texts: { title: 'Order', status: `${at + 1} of ${sortOrders.length}` }, size, isFocused: true, lines };
}
