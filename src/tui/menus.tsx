import { columnTable } from '../board/columns.ts';
import { courierCells } from '../board/courier-search.ts';
import { describeSorting, type Sorting, sortingTitle, sortOrders } from '../board/list/sort-orders.ts';
import { rowSymbols } from '../board/symbols.ts';
import { fitText } from '../lib/cells.ts';
import type { Line } from '../lib/paint.ts';
import type { Courier } from '../service/port.ts';
import type { LoadedCouriers } from './board.ts';
import { searchLine } from './field/field.tsx';
import { centredOffset, innerSize, type PaneSize } from './layout.ts';
import { Pane, Table } from './pane.tsx';
import type { ColumnMenuState, Picker } from './ui-state.ts';

interface CourierPickerProps extends Pick<Picker, 'index' | 'query'> {
  readonly couriers: Pick<LoadedCouriers, 'status' | 'problem'>;
  readonly matches: readonly Courier[];
  readonly size: PaneSize;
}

export function CourierPicker({ couriers, index, matches, query, size }: CourierPickerProps) {
  const isReady = couriers.status === 'ready';
  const status = isReady ? { status: `${matches.length === 0 ? 0 : index + 1} of ${matches.length}` } : {};
  const emptyLines = isReady && matches.length > 0 ? [] : emptyListLines(couriers);
  return (
    <Pane
      texts={{ title: 'Courier', ...status }}
      size={size}
      isFocused
      lines={[searchLine(query, 'code or name', size), ...emptyLines]}
    >
      {emptyLines.length === 0 && <Table rows={courierRows(matches, index, innerSize(size))} />}
    </Pane>
  );
}

function emptyListLines({ problem, status }: CourierPickerProps['couriers']): readonly Line[] {
  if (status === 'ready') return [[{ text: ' No courier matches. Try fewer letters.', tone: 'quiet' }]];
  if (status !== 'failed') return [[{ text: ' Loading the couriers…', tone: 'quiet' }]];
  return [
    [{ text: ` ${problem ?? ''}`, tone: 'attention' }],
    [{ text: ' Type a code and press Enter to use it anyway.', tone: 'quiet' }],
  ];
}

function courierRows(matches: readonly Courier[], index: number, { height, width }: PaneSize) {
  // The first row is the search field.
  const room = Math.max(1, height - 1);
  const from = centredOffset(index, matches.length, room);
  return matches.slice(from, from + room).map((courier, row): readonly Line[] => {
    const isChosen = from + row === index;
    const cells = courierCells(courier, width - 2);
    return [
      [{ text: isChosen ? '▌ ' : '  ', tone: 'accent', bold: true }],
      ...(isChosen ? cells.map((cell) => cell.map((segment) => ({ ...segment, bold: true }))) : cells),
    ];
  });
}

/** Width of the longest order and the gap after it, in cells. */
const orderWidth = 24;

export function OrderMenu({ size, sorting }: { readonly size: PaneSize; readonly sorting: Sorting }) {
  const { height } = innerSize(size);
  const selectedIndex = sortOrders.indexOf(sorting.order);
  const from = centredOffset(selectedIndex, sortOrders.length, height);
  const lines = sortOrders.slice(from, from + height).map((order): Line => {
    const isChosen = order === sorting.order;
    const displayedSorting = isChosen ? sorting : { order, isReversed: false };
    const { first } = describeSorting(displayedSorting);
    return [
      { text: isChosen ? '▌ ' : '  ', tone: 'accent', bold: true },
      { text: fitText(sortingTitle(displayedSorting), orderWidth), bold: isChosen },
      { text: first, dim: !isChosen },
    ];
  });
  const texts = { title: 'Order', status: `${selectedIndex + 1} of ${sortOrders.length}` };
  return <Pane texts={texts} size={size} isFocused lines={lines} />;
}

/** Width of the longest title and the gap after it, in cells. */
const columnWidth = 12;

export function ColumnMenu({ choice, size }: { readonly choice: ColumnMenuState; readonly size: PaneSize }) {
  const { index, usesDefaultColumns, names, shown } = choice;
  const { height } = innerSize(size);
  const from = centredOffset(index, names.length, height);
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
  const status = usesDefaultColumns ? 'chosen by width' : `${shown.size} of ${names.length}`;
  return <Pane texts={{ title: 'Columns', status }} size={size} isFocused lines={lines} />;
}
