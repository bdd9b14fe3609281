import { Box } from 'ink';
import { memo } from 'react';
import {
  type HeaderInput,
  type HeaderProblem,
  headerGap,
  headerMargin,
  headerText,
  problemLines,
  problemMargin,
  problemSign,
} from '../../board/header/header.ts';
import { missingSetting } from '../../board/setup/board-setup.ts';
import { lineText } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';
import type { MonitorState, PollingState } from '../../polling/core/state.ts';
import { skewSentence } from '../../service/clock/clock-skew.ts';
import { printableText } from '../../service/text/clean-text.ts';
import type { Board } from '../board.ts';
import { Painted } from '../pane/painted.tsx';
import { Lines } from '../pane/pane.tsx';

/** The state of polling as it is shown: the first frame is drawn before it begins, which does not mean a missing key. */
export function shownPolling({ setup }: Pick<Board, 'setup'>, { polling }: MonitorState): PollingState {
  const isAboutToBegin = polling.phase === 'off' && setup.kind === 'ready';
  return isAboutToBegin ? { ...polling, phase: 'waiting' } : polling;
}

/** In place of the header where only found numbers are shown. */
const aloneTitle: Line = [
  { text: ' parcel-monitor', bold: true },
  { text: '  choose what is added', tone: 'quiet' },
];

/** The header, with a problem or a notice under it. */
export function Header({ board }: { readonly board: Board }) {
  const { badge, banner, columns, isSilent, now, polling, state, zone } = board;
  return (
    <>
      {board.foundAlready === undefined ? (
        <HeaderLine
          parcels={state.parcels}
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
      {banner.length > 0 && <Banner lines={banner} width={columns} />}
    </>
  );
}

/** It counts all parcels, so it is written again only when something of it changed. */
export const HeaderLine = memo(function HeaderLine(input: HeaderInput) {
  const { left, right } = headerText(input);
  return (
    <Box width={input.width} height={1} flexShrink={0} justifyContent="space-between" paddingX={headerMargin}>
      <Box columnGap={headerGap}>
        {left.map((line) => (
          <Painted key={lineText(line)} line={line} />
        ))}
      </Box>
      <Box flexShrink={left.length > 0 ? 0 : 1}>
        <Painted line={right} />
      </Box>
    </Box>
  );
});

/** A problem behind its sign. */
export function Banner({ lines, width }: { readonly lines: readonly Line[]; readonly width: number }) {
  return (
    <Box width={width} flexShrink={0}>
      <Box width={problemMargin} flexShrink={0} paddingLeft={1}>
        <Painted line={[problemSign]} />
      </Box>
      <Box flexDirection="column">
        <Lines lines={lines} />
      </Box>
    </Box>
  );
}

/** What the lines under the header depend on. */
type BannerSource = Pick<Board, 'clockSkew' | 'setup' | 'state' | 'columns' | 'rows'>;

/** The lines under the header that show a problem or a notice; none when all is well. */
export function bannerLines(board: BannerSource): readonly Line[] {
  const problem = board.state.polling.problem ?? noticeOf(board);
  if (problem === null) return [];
  const most = Math.min(3, Math.max(1, Math.floor(board.rows / 10)));
  return problemLines(problem, board.columns, most);
}

function noticeOf({ clockSkew, setup, state }: BannerSource): HeaderProblem | null {
  const message =
    state.notices[0] ??
    state.polling.budget?.message ??
    skewSentence(clockSkew()) ??
    (setup.kind === 'not-set-up' && state.parcels.length > 0
      ? `No ${missingSetting(setup)}: numbers are kept, nothing is checked. Press C to set it up.`
      : null);
  if (message === null) return null;
  const more = Math.max(0, state.notices.length - 1);
  return { kind: 'store', message: printableText(message), code: null, traceId: null, more };
}
