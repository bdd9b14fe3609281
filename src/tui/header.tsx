import { useMemo } from 'react';
import { type HeaderInput, headerRow } from '../board/header.ts';
import {
  type HeaderProblem,
  pauseReason,
  problemLines,
  problemMargin,
  problemSymbol,
} from '../board/header-problem.ts';
import { fitLine } from '../lib/cells.ts';
import { printableText } from '../lib/clean-text.ts';
import { skewSentence } from '../lib/clock-skew.ts';
import type { Line } from '../lib/paint.ts';
import type { MonitorState, PollingState } from '../polling/state.ts';
import { type BoardSetup, missingSetting } from '../settings/setup/board-setup.ts';
import type { Board } from './board.ts';
import { Lines } from './pane.tsx';
import type { WindowSize } from './terminal/frame-writer.ts';

export interface HeaderProps extends HeaderInput {
  readonly banner: readonly Line[];
  /** Whether there is no board, only a list of found numbers. */
  readonly isChoosing?: boolean;
}

/** The header above a list of found numbers without a board. */
const choosingHeader: Line = [
  { text: ' parcel-monitor', bold: true },
  { text: '  choose the numbers to add', tone: 'quiet' },
];

export function Header({ banner, isChoosing = false, ...input }: HeaderProps) {
  return <Lines lines={[isChoosing ? choosingHeader : headerRow(input), ...bannerRows(banner, input.width)]} />;
}

/** Returns what the header shows about polling, and the lines of the problem or notice below it, which may be empty. */
export function useHeader(
  { clockSkew, setup }: Pick<Board, 'clockSkew' | 'setup'>,
  state: MonitorState,
  { columns, rows }: WindowSize,
): Pick<Board, 'banner' | 'pause' | 'polling'> {
  const skewMs = clockSkew();
  const banner = useMemo(() => {
    const problem = state.polling.problem ?? currentNotice(setup, state, skewMs);
    const maxRows = Math.min(3, Math.max(1, Math.floor(rows / 10)));
    return problem === null ? [] : problemLines(problem, columns, maxRows);
  }, [skewMs, setup, state, columns, rows]);
  const polling = useMemo(() => displayedPolling(setup, state), [setup, state]);
  return { banner, polling, pause: pauseReason(polling) };
}

/** In the first frame, polling has not started yet. This must not look like a missing API key. */
function displayedPolling(setup: BoardSetup, { polling }: MonitorState): PollingState {
  const isStarting = polling.phase === 'off' && setup.kind === 'ready';
  return isStarting ? { ...polling, phase: 'waiting' } : polling;
}

/** @param skewMs how far the service's clock is ahead of the local clock, in milliseconds, or null if unknown */
function currentNotice(setup: BoardSetup, state: MonitorState, skewMs: number | null): HeaderProblem | null {
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
