import { type HeaderInput, headerRow } from '../board/header.ts';
import { type HeaderProblem, problemLines, problemMargin, problemSymbol } from '../board/header-problem.ts';
import { fitLine } from '../lib/cells.ts';
import { printableText } from '../lib/clean-text.ts';
import { skewSentence } from '../lib/clock-skew.ts';
import type { Line } from '../lib/paint.ts';
import type { MonitorState, PollingState } from '../polling/state.ts';
import { type BoardSetup, missingSetting } from '../settings/setup/setup-lines.ts';
import type { Board } from './board.ts';
import { Lines } from './pane.tsx';

/** In the first frame, polling has not started yet. This must not look like a missing API key. */
export function shownPolling({ setup }: { readonly setup: BoardSetup }, { polling }: MonitorState): PollingState {
  const isStarting = polling.phase === 'off' && setup.kind === 'ready';
  return isStarting ? { ...polling, phase: 'waiting' } : polling;
}

interface BannerSource extends Pick<Board, 'columns' | 'rows' | 'setup' | 'state'> {
  /** How far the service's clock is ahead of the local clock, in milliseconds, or null if unknown. */
  readonly skewMs: number | null;
}

/** Returns the lines of the problem or notice below the header. May be empty. */
export function bannerLines(board: BannerSource): readonly Line[] {
  const problem = board.state.polling.problem ?? noticeOf(board);
  if (problem === null) return [];
  const maxRows = Math.min(3, Math.max(1, Math.floor(board.rows / 10)));
  return problemLines(problem, board.columns, maxRows);
}

function noticeOf({ setup, skewMs, state }: BannerSource): HeaderProblem | null {
  const message =
    state.notices[0] ??
    state.polling.budget?.message ??
    skewSentence(skewMs) ??
    (setup.kind === 'not-set-up' && state.parcels.length > 0
      ? `No ${missingSetting(setup)}: numbers are saved but not checked yet. Press C to set up.`
      : null);
  if (message === null) return null;
  const more = Math.max(0, state.notices.length - 1);
  return { kind: 'store', message: printableText(message), code: null, traceId: null, more };
}

export function bannerRows(lines: readonly Line[], width: number): readonly Line[] {
  return lines.map((line, index) => {
    const margin = fitLine(index === 0 ? [{ text: ' ' }, problemSymbol] : [], problemMargin);
    return fitLine([...margin, ...line], width);
  });
}

export interface HeaderProps extends HeaderInput {
  /** See `bannerLines`. */
  readonly banner: readonly Line[];
  /** Whether there is no board, only a list of found numbers. */
  readonly isChoosing?: boolean;
}

/** The header above a list of found numbers without a board. */
const choosing: Line = [
  { text: ' parcel-monitor', bold: true },
  { text: '  choose the numbers to add', tone: 'quiet' },
];

export function Header({ banner, isChoosing = false, ...input }: HeaderProps) {
  return <Lines lines={[isChoosing ? choosing : headerRow(input), ...bannerRows(banner, input.width)]} />;
}
