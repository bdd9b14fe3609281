import type { MonitorState, PollingProblem } from '../../polling/core/state.ts';
import { withTraceId } from '../session/failure.ts';

type TroubleState = Pick<MonitorState, 'notices'> & {
  readonly polling: Pick<MonitorState['polling'], 'problem'> & Partial<Pick<MonitorState['polling'], 'phase'>>;
};

/**
 * What to tell of troubles between two states of the monitor: each new notice, a problem when it is another one than
 * before, and its end. A problem that lasts is told once, however often it is met and whatever its details.
 */
export function troubleLines(before: TroubleState, after: TroubleState): readonly string[] {
  const lines = after.notices.filter((notice) => !before.notices.includes(notice));
  const [old, current] = [before.polling.problem, after.polling.problem];
  // A failing store is a notice as well.
  if (current !== null && !isSameProblem(old, current) && !after.notices.includes(current.message)) {
    const again = after.polling.phase === 'backing-off' ? ' The next try follows by itself.' : '';
    return [...lines, withTraceId(`${current.message}${again}`, current.traceId)];
  }
  if (current === null && old !== null) {
    return [...lines, old.kind === 'store' ? 'Changes are written again.' : 'The service answers again.'];
  }
  return lines;
}

/**
 * What to tell when this process comes to ask nothing by itself, because the user wants it so or another one asks, and
 * when it goes on; `before` is null at first.
 */
export function restLines(before: RestState | null, after: RestState): readonly string[] {
  const wasPaused = before?.paused ?? false;
  const pause = after.paused
    ? 'Asking is paused, here and in the board: nothing is asked by itself until P is pressed there.'
    : 'Asking goes on.';
  const { budget } = after;
  // How many wait changes as they come due; that is no news.
  const isSpent = budget !== null && budget.resumesAt !== before?.budget?.resumesAt;
  const followed = before?.isFollowing ?? false;
  const follow = after.isFollowing
    ? 'Another parcel-monitor asks the service; this one shows what it finds.'
    : 'This parcel-monitor asks the service from now on.';
  return [
    ...(followed === after.isFollowing ? [] : [follow]),
    ...(wasPaused === after.paused ? [] : [pause]),
    ...(isSpent ? [budget.message] : []),
  ];
}

type RestState = Pick<MonitorState['polling'], 'paused' | 'isFollowing' | 'budget'>;

function isSameProblem(a: PollingProblem | null, b: PollingProblem): boolean {
  return a !== null && a.kind === b.kind && a.code === b.code;
}
