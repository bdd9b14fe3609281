import { courierLine } from '../../board/courier/courier-search.ts';
import type { Line } from '../../board/text/line.ts';
import type { Courier } from '../../service/record/record.ts';
import { SearchRow } from '../field/search-row.tsx';
import type { PaneSize } from '../layout.ts';
import { innerSize } from '../pane/frame.ts';
import { Lines, Pane } from '../pane/pane.tsx';
import type { Picker } from './state.ts';
import type { LoadedCouriers } from './use-couriers.ts';

/** What the picker shows. */
interface CourierPickerProps {
  readonly picker: Picker;
  readonly couriers: LoadedCouriers;
  readonly matches: readonly Courier[];
  readonly size: PaneSize;
}

/** The courier picker: a search over Get Carriers, by keyboard only. */
export function CourierPicker(props: CourierPickerProps) {
  const { couriers, matches, picker, size } = props;
  const status = `${matches.length === 0 ? 0 : picker.index + 1} of ${matches.length}`;
  return (
    <Pane texts={{ title: 'Courier', ...(couriers.status === 'ready' ? { status } : {}) }} size={size} isFocused>
      <SearchRow query={picker.query} placeholder="code or name" size={size} />
      <Lines lines={matchLines(props)} />
    </Pane>
  );
}

function matchLines({ couriers, matches, picker: { index }, size }: CourierPickerProps): readonly Line[] {
  const { height, width } = innerSize(size);
  // The first row is the search field.
  const room = Math.max(1, height - 1);
  if (couriers.status === 'loading' || couriers.status === 'absent')
    return [[{ text: ' Loading the couriers…', tone: 'quiet' }]];
  if (couriers.status === 'failed') {
    return [
      [{ text: ` ${couriers.problem ?? ''}`, tone: 'attention' }],
      [{ text: ' Type the code and press Enter to use it as it is.', tone: 'quiet' }],
    ];
  }
  if (matches.length === 0) return [[{ text: ' No courier matches. Backspace widens the search.', tone: 'quiet' }]];
  const from = Math.max(0, Math.min(index - Math.floor(room / 2), matches.length - room));
  return matches.slice(from, from + room).map((courier, row): Line => {
    const isChosen = from + row === index;
    const line = courierLine(courier, width - 2);
    return [
      { text: isChosen ? '▌ ' : '  ', tone: 'accent', bold: true },
      ...(isChosen ? line.map((segment) => ({ ...segment, bold: true })) : line),
    ];
  });
}
