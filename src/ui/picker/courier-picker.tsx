import { Box, Text } from 'ink';
import TextInput from 'ink-text-input';
import { courierLine } from '../../board/courier/courier-search.ts';
import { fitLine } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';
import type { Courier } from '../../service/record/record.ts';
import type { PaneSize } from '../layout.ts';
import { framed } from '../pane/frame.ts';
import { Lines } from '../pane/lines.tsx';
import { innerSize } from '../pane/pane-view.ts';
import { paint, type Theme } from '../theme.ts';
import type { LoadedCouriers } from './use-couriers.ts';

/** What the picker shows. */
export interface CourierPickerProps {
  readonly query: string;
  readonly index: number;
  readonly couriers: LoadedCouriers;
  readonly matches: readonly Courier[];
  readonly size: PaneSize;
  readonly theme: Theme;
  readonly onQuery: (query: string) => void;
}

function contentLines({ couriers, index, matches, size, theme }: CourierPickerProps): readonly Line[] {
  const { height, width } = innerSize(size);
  // The first row is the search field.
  const room = Math.max(1, height - 1);
  if (couriers.status === 'loading' || couriers.status === 'absent')
    return [[{ text: ' Asking for the couriers…', tone: 'quiet' }]];
  if (couriers.status === 'failed') {
    return [
      [{ text: ` ${couriers.problem ?? ''}`, tone: 'attention' }],
      [{ text: ' Type the code and press Enter to use it as it is.', tone: 'quiet' }],
    ];
  }
  if (matches.length === 0) return [[{ text: ' No courier matches. Backspace widens the search.', tone: 'quiet' }]];
  const from = Math.max(0, Math.min(index - Math.floor(room / 2), matches.length - room));
  const mark = theme.glyphs === 'symbols' ? '▌' : '>';
  return matches.slice(from, from + room).map((courier, row): Line => {
    const isChosen = from + row === index;
    const line = courierLine(courier, width - 2);
    return [
      { text: isChosen ? `${mark} ` : '  ', tone: 'accent', bold: true },
      ...(isChosen ? line.map((segment) => ({ ...segment, bold: true })) : line),
    ];
  });
}

/** The courier picker: a search over Get Carriers, by keyboard only. */
export function CourierPicker(props: CourierPickerProps) {
  const { couriers, index, matches, onQuery, query, size, theme } = props;
  const frame = framed(
    [[], ...contentLines(props)],
    {
      title: 'Courier',
      ...(couriers.status === 'ready'
        ? { status: `${matches.length === 0 ? 0 : index + 1} of ${matches.length}` }
        : {}),
    },
    size,
    true,
    theme.glyphs,
  );
  const side = frame[1]?.[0] ?? { text: ' ' };
  const prompt = fitLine([side, { text: ' search ', tone: 'accent' }], 9);
  return (
    <Box flexDirection="column" flexShrink={0} width={size.width} height={size.height}>
      <Lines lines={frame.slice(0, 1)} theme={theme} />
      <Box height={1} width={size.width} flexShrink={0}>
        <Text>{paint(prompt, theme)}</Text>
        <Box flexGrow={1} height={1} overflow="hidden">
          <TextInput value={query} onChange={onQuery} placeholder="code or name" />
        </Box>
        <Text>{paint([side], theme)}</Text>
      </Box>
      <Lines lines={frame.slice(2)} theme={theme} />
    </Box>
  );
}
