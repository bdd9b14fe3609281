import { memo } from 'react';
import type { HeaderInput } from '../../board/header/header.ts';
import { headerRow } from '../../board/header/header-row.ts';
import type { Line } from '../../board/text/line.ts';
import type { Board } from '../board.ts';
import { Painted } from '../pane/painted.tsx';
import { Lines } from '../pane/pane.tsx';
import { bannerRows } from './banner.ts';

/** In place of the header where only found numbers are shown. */
const aloneTitle: Line = [
  { text: ' parcel-monitor', bold: true },
  { text: '  choose what is added', tone: 'quiet' },
];

/** The header, with a problem or a notice under it. */
export function Header({ board }: { readonly board: Board }) {
  const { badge, banner, columns, counted, isSilent, now, polling, state, zone } = board;
  return (
    <>
      {board.foundAlready === undefined ? (
        <HeaderLine
          parcels={state.parcels}
          {...(counted === undefined ? {} : { counted })}
          polling={polling}
          now={now}
          zone={zone}
          width={columns}
          badge={badge}
          isSilent={isSilent}
          isArchive={board.ui.listed === 'archive'}
        />
      ) : (
        <Painted line={aloneTitle} />
      )}
      <Banner lines={banner} width={columns} />
    </>
  );
}

/** It counts all parcels, so it is written again only when something of it changed. */
export const HeaderLine = memo(function HeaderLine(input: HeaderInput) {
  return <Painted line={headerRow(input)} />;
});

/** A problem behind its sign. */
export function Banner({ lines, width }: { readonly lines: readonly Line[]; readonly width: number }) {
  return <Lines lines={bannerRows(lines, width)} />;
}
