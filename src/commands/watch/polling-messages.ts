import type { MonitorState } from '../../polling/core/state.ts';
import type { PollingProblem } from '../../watchlist/state/polling-state.ts';
import { withTraceId } from '../session/failure.ts';

type ProblemState = Pick<MonitorState, 'notices'> & {
  readonly polling: Pick<MonitorState['polling'], 'problem'> & Partial<Pick<MonitorState['polling'], 'phase'>>;
};

/**
 * What to report of problems between two states of the monitor: each new notice, a problem when it is another one than
 * before, and its end. A problem that lasts is reported once, however often it is met and whatever its details.
 */
export function problemMessages(before: ProblemState, after: ProblemState): readonly string[] {
  const lines = after.notices.filter((notice) => !before.notices.includes(notice));
  const [old, current] = [before.polling.problem, after.polling.problem];
  // A failing store is a notice as well.
  if (current !== null && !isSameProblem(old, current) && !after.notices.includes(current.message)) {
    const again = after.polling.phase === 'backing-off' ? ' It is retried automatically.' : '';
    return [...lines, withTraceId(`${current.message}${again}`, current.traceId)];
  }
  if (current === null && old !== null) {
    return [...lines, old.kind === 'store' ? 'Changes are written again.' : 'The service answers again.'];
  }
  return lines;
}

/**
 * What to report when this process stops polling, because the user wants it so or another one polls, and
 * when it goes on; `before` is null at first.
 */
export function pauseMessages(before: PollingPauses | null, after: PollingPauses): readonly string[] {
  const wasPaused = before?.paused ?? false;
  const pause = after.paused
    ? 'Automatic checks are paused, here and in the board, until P is pressed there.'
    : 'Resumed.';
  const { budget } = after;
  // How many wait changes as they come due; that is no news.
  const isSpent = budget !== null && budget.resumesAt !== before?.budget?.resumesAt;
  const followed = before?.isFollowing ?? false;
  const checkedBy = after.company?.checkedBy ?? null;
  const other =
    checkedBy === null || checkedBy.isUs ? 'Another parcel-monitor' : `The parcel-monitor on ${checkedBy.host}`;
  const follow = after.isFollowing
    ? `${other} polls the service; this one shows what it finds.`
    : 'This parcel-monitor polls the service from now on.';
  return [
    ...(followed === after.isFollowing ? [] : [follow]),
    ...(wasPaused === after.paused ? [] : [pause]),
    ...(isSpent ? [budget.message] : []),
  ];
}

type PollingPauses = Pick<MonitorState['polling'], 'paused' | 'isFollowing' | 'budget' | 'company'>;

function isSameProblem(a: PollingProblem | null, b: PollingProblem): boolean {
  return a !== null && a.kind === b.kind && a.code === b.code;
}
