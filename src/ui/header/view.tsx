import { memo } from 'react';
import type { HeaderInput } from '../../board/header/header.ts';
import { headerRow } from '../../board/header/header-row.ts';
import type { Line } from '../../board/text/line.ts';
import type { Board } from '../board.ts';
import { Painted } from '../pane/painted.tsx';
import { Lines } from '../pane/pane.tsx';
import { bannerRows, headerOf } from './header-lines.ts';

/** In place of the header where only found numbers are shown. */
const aloneTitle: Line = [
  { text: ' parcel-monitor', bold: true },
  { text: '  choose what is added', tone: 'quiet' },
];

/** The header, with a problem or a notice under it. */
export function Header({ board }: { readonly board: Board }) {
  return (
    <>
      {board.foundAlready === undefined ? <HeaderLine {...headerOf(board)} /> : <Painted line={aloneTitle} />}
      <Lines lines={bannerRows(board.banner, board.columns)} />
    </>
  );
}

/** Written again only when something of it changed. */
const HeaderLine = memo(function HeaderLine(input: HeaderInput) {
  return <Painted line={headerRow(input)} />;
});
