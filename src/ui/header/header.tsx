import { memo, useMemo } from 'react';
import { type HeaderInput, headerRow } from '../../board/header/header.ts';
import type { Line } from '../../board/text/line.ts';
import { Lines } from '../pane/lines.tsx';
import { bannerRows } from './banner.ts';

/** What the header shows. */
export interface HeaderProps extends HeaderInput {
  /** The lines of a problem or a notice, shown under the header; see `bannerLines`. */
  readonly banner: readonly Line[];
  /** Whether only found numbers are shown, from which the user chooses. */
  readonly isChoosing?: boolean;
}

/** In place of the counts where only found numbers are shown. */
const choosing: Line = [
  { text: ' parcel-monitor', bold: true },
  { text: '  choose what is added', tone: 'quiet' },
];

/** The first row of the board, with a problem or a notice under it. */
export const Header = memo(function Header({ banner, isChoosing = false, ...input }: HeaderProps) {
  const below = useMemo(() => bannerRows(banner, input.width), [banner, input.width]);
  return <Lines lines={[isChoosing ? choosing : headerRow(input), ...below]} />;
});
