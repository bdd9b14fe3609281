import type { MonitorState, PollingProblem } from '../polling/state.ts';
import { withTraceId } from './failure.ts';

type TroubleState = Pick<MonitorState, 'notices'> & { readonly polling: Pick<MonitorState['polling'], 'problem'> };

/**
 * What to tell of troubles between two states of the monitor: each new notice, a problem when it is another one than
 * before, and its end. A problem that lasts is told once, however often it is met and whatever its details.
 */
export function troubleLines(before: TroubleState, after: TroubleState): readonly string[] {
  const lines = after.notices.filter((notice) => !before.notices.includes(notice));
  const [old, current] = [before.polling.problem, after.polling.problem];
  // A failing store is a notice as well.
  if (current !== null && !isSameProblem(old, current) && !after.notices.includes(current.message)) {
    return [...lines, withTraceId(current.message, current.traceId)];
  }
  if (current === null && old !== null) {
    return [...lines, old.kind === 'store' ? 'Changes are written again.' : 'The service answers again.'];
  }
  return lines;
}

function isSameProblem(a: PollingProblem | null, b: PollingProblem): boolean {
  return a !== null && a.kind === b.kind && a.code === b.code;
}
