import { courierLine } from '../../board/courier/courier-search.ts';
import type { Line } from '../../board/text/line.ts';
import type { Board } from '../app/board.ts';
import { searchLine } from '../field/search-line.ts';
import type { PaneSize } from '../layout.ts';
import { innerSize, type PaneContent } from '../pane/frame.ts';
import type { Picker } from './state.ts';

/** What the picker is drawn from. */
type PickerSource = Pick<Board, 'courierList' | 'matches'>;

/** The courier picker: a search over Get Carriers, by keyboard only. */
export function pickerPane(source: PickerSource, { index, query }: Picker, size: PaneSize): PaneContent {
  const { courierList, matches } = source;
  const status = `${matches.length === 0 ? 0 : index + 1} of ${matches.length}`;
  const texts = { title: 'Courier', ...(courierList.status === 'ready' ? { status } : {}) };
  const lines = [searchLine(query, 'code or name', size), ...matchLines(source, index, size)];
  return { texts, size, isFocused: true, lines };
}

function matchLines({ courierList: couriers, matches }: PickerSource, index: number, size: PaneSize): readonly Line[] {
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
