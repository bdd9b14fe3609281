import { courierCells } from '../../board/courier-search.ts';
import type { Line } from '../../lib/paint.ts';
import type { Courier } from '../../service/record.ts';
import type { LoadedCouriers } from '../board.ts';
import { searchLine } from '../field/field-window.ts';
import type { TextEdit } from '../field/text-edit.ts';
import type { PaneSize } from '../layout.ts';
import { centredFrom, innerSize } from '../pane/frame.ts';
import { Pane, Table } from '../pane/pane.tsx';

interface CourierPickerProps {
  readonly couriers: Pick<LoadedCouriers, 'status' | 'problem'>;
  readonly matches: readonly Courier[];
  readonly query: TextEdit;
  readonly index: number;
  readonly size: PaneSize;
}

export function CourierPicker({ couriers, index, matches, query, size }: CourierPickerProps) {
  const isReady = couriers.status === 'ready';
  const status = isReady ? { status: `${matches.length === 0 ? 0 : index + 1} of ${matches.length}` } : {};
  const words = isReady && matches.length > 0 ? [] : emptyListLines(couriers);
  return (
    <Pane
      texts={{ title: 'Courier', ...status }}
      size={size}
      isFocused
      lines={[searchLine(query, 'code or name', size), ...words]}
    >
      {words.length === 0 && <Table rows={courierRows(matches, index, innerSize(size))} />}
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
  const from = centredFrom(index, matches.length, room);
  return matches.slice(from, from + room).map((courier, row): readonly Line[] => {
    const isChosen = from + row === index;
    const cells = courierCells(courier, width - 2);
    return [
      [{ text: isChosen ? '▌ ' : '  ', tone: 'accent', bold: true }],
      ...(isChosen ? cells.map((cell) => cell.map((segment) => ({ ...segment, bold: true }))) : cells),
    ];
  });
}
