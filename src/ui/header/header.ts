import { type HeaderProblem, headerLine, problemLines } from '../../board/header/header.ts';
import type { Line } from '../../board/text/line.ts';
import type { MonitorState, PollingState } from '../../polling/core/state.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import { skewSentence } from '../../service/clock/clock-skew.ts';
import { formatOffset } from '../../service/clock/service-clock.ts';
import { printableText } from '../../service/text/clean-text.ts';
import type { BoardContext } from '../board-options.ts';
import type { Detail } from '../details/details.tsx';
import { type BoardSetup, missingSetting } from '../details/setup-text.ts';
import type { Theme } from '../theme.ts';

/** How the asking goes; the first frame is drawn before it begins, which is no reason to say that there is no key. */
export function shownPolling({ setup }: Pick<BoardContext, 'setup'>, { polling }: MonitorState): PollingState {
  const isAboutToAsk = polling.phase === 'off' && setup.kind === 'ready';
  return isAboutToAsk ? { ...polling, phase: 'waiting' } : polling;
}

/** The header of the screen. */
export function boardHeader(board: BoardContext, state: MonitorState, now: EpochMs, width: number, theme: Theme): Line {
  const { badge, zone } = board;
  return headerLine({
    parcels: state.parcels,
    polling: shownPolling(board, state),
    now,
    zone,
    width,
    badge,
    glyphs: theme.glyphs,
  });
}

/** The lines under the header that tell of a problem or a notice; none when all is well. */
export function bannerLines(
  board: BoardContext,
  state: MonitorState,
  size: { readonly columns: number; readonly rows: number },
  theme: Theme,
): readonly Line[] {
  const problem = state.polling.problem ?? noticeOf(board, state);
  if (problem === null) return [];
  const most = Math.min(3, Math.max(1, Math.floor(size.rows / 10)));
  return problemLines(problem, size.columns, most, theme.glyphs);
}

function noticeOf(board: BoardContext, state: MonitorState): HeaderProblem | null {
  const message =
    state.notices[0] ??
    state.polling.budget?.message ??
    skewSentence(board.clockSkew()) ??
    (board.setup.kind === 'not-set-up' && state.parcels.length > 0
      ? `No ${missingSetting(board.setup)}: numbers are kept, nothing is asked. Press D for how to set it.`
      : null);
  return message === null ? null : { kind: 'store', message: printableText(message), code: null, traceId: null };
}

const clockSources = {
  configured: 'as configured',
  measured: 'measured at a registration',
  assumed: 'assumed until a registration tells',
} as const;

function skewDetail(skewMs: number | null): readonly Detail[] {
  if (skewMs === null) return [];
  return [{ name: 'Your clock', value: skewSentence(skewMs) ?? "agrees with the service's" }];
}

/** How to set them stands above the details. */
function missingDetails({ baseUrl, hasKey }: Extract<BoardSetup, { kind: 'not-set-up' }>): readonly Detail[] {
  const value = 'not set';
  return [...(hasKey ? [] : [{ name: 'API key', value }]), ...(baseUrl === null ? [{ name: 'Base URL', value }] : [])];
}

/** Rows of the details overlay. */
export function boardDetails(board: BoardContext, state: MonitorState): readonly Detail[] {
  const { polling, serviceClock } = state;
  const instant = (at: EpochMs | null): string =>
    at === null ? 'none' : `${new Date(at).toISOString().slice(0, 19)}Z`;
  const { problem } = polling;
  return [
    ...board.facts,
    {
      name: 'Service clock',
      value: `UTC${formatOffset(serviceClock.offsetMinutes)}, ${clockSources[serviceClock.source]}`,
    },
    { name: 'Your zone', value: board.zone },
    ...skewDetail(board.clockSkew()),
    { name: 'Calls in this run', value: String(polling.callsSent) },
    { name: 'Queries today', value: String(polling.queriesToday) },
    ...(polling.paused ? [{ name: 'Asking', value: 'paused; P goes on' }] : []),
    ...(polling.isFollowing
      ? [{ name: 'Asked by', value: 'another parcel-monitor; this one shows what it finds' }]
      : []),
    ...(polling.budget === null ? [] : [{ name: 'Budget', value: polling.budget.message }]),
    { name: 'Newest answer', value: instant(polling.lastAnswerAt) },
    { name: 'Next call', value: instant(polling.nextPollAt) },
    ...(problem === null
      ? []
      : [
          {
            name: 'Problem',
            value: [problem.message, problem.code, problem.traceId].filter((part) => part !== null).join(' '),
          },
        ]),
    ...(board.setup.kind === 'not-set-up' ? missingDetails(board.setup) : []),
  ];
}
