import { describe, expect, it } from 'vitest';
import { pauseMessages, problemMessages } from '../../src/commands/watch.ts';
import type { PollingProblem } from '../../src/polling/state.ts';

const problem = (fields: Partial<PollingProblem> = {}): PollingProblem => ({
  kind: 'unreachable',
  message: 'The service cannot be reached.',
  code: 'ECONNREFUSED',
  traceId: null,
  ...fields,
});
const state = (current: PollingProblem | null, ...notices: readonly string[]) => ({
  polling: { problem: current },
  notices,
});

describe('messages about problems', () => {
  it('show each notice once', () => {
    expect(problemMessages(state(null), state(null, 'a file was moved'))).toEqual(['a file was moved']);
    expect(problemMessages(state(null, 'a'), state(null, 'a', 'b'))).toEqual(['b']);
    expect(problemMessages(state(null, 'a', 'b'), state(null, 'b'))).toEqual([]);
  });

  it("show a problem when it begins or changes, with the request's trace ID", () => {
    expect(problemMessages(state(null), state(problem({ traceId: 'f00' })))).toEqual([
      'The service cannot be reached. (traceId f00)',
    ]);
    const timeout = problem({ kind: 'timeout', message: 'No response.' });
    expect(problemMessages(state(problem()), state(timeout))).toEqual(['No response.']);
  });

  it('mention a retry only if there is one', () => {
    const backingOff = { polling: { problem: problem(), phase: 'backing-off' as const }, notices: [] };
    expect(problemMessages(state(null), backingOff)).toEqual([
      'The service cannot be reached; parcel-monitor retries automatically.',
    ]);
    const stopped = { polling: { problem: problem(), phase: 'stopped' as const }, notices: [] };
    expect(problemMessages(state(null), stopped)).toEqual(['The service cannot be reached.']);
  });

  it('do not repeat a problem if only its details change', () => {
    const updated = problem({ message: 'The service still cannot be reached.', traceId: 'ba4' });
    expect(problemMessages(state(problem()), state(updated))).toEqual([]);
  });

  it('say when a problem ends', () => {
    expect(problemMessages(state(problem()), state(null))).toEqual(['The service responds again.']);
    expect(problemMessages(state(problem({ kind: 'store' })), state(null))).toEqual(['Changes are saved again.']);
  });

  it('show a failing store once, although it is both a notice and a problem', () => {
    const full = problem({ kind: 'store', message: 'No space left.' });
    expect(problemMessages(state(null), state(null, 'No space left.'))).toEqual(['No space left.']);
    expect(problemMessages(state(null, 'No space left.'), state(full, 'No space left.'))).toEqual([]);
  });
});

describe('messages about pauses', () => {
  const working = { paused: false, isFollowing: false, budget: null };
  const usedUp = (waiting: number) => ({
    paused: false,
    isFollowing: false,
    budget: { message: `Used up; ${waiting} wait.`, short: '', resumesAt: 5, waiting },
  });

  it('say when a pause begins or ends, but nothing while it lasts', () => {
    const paused = { ...working, paused: true };
    expect(pauseMessages(null, working)).toEqual([]);
    expect(pauseMessages(null, paused)).toEqual([expect.stringMatching(/^Automatic checks are paused/)]);
    expect(pauseMessages(working, paused)).toEqual([expect.stringMatching(/^Automatic checks are paused/)]);
    expect(pauseMessages(paused, paused)).toEqual([]);
    expect(pauseMessages(paused, working)).toEqual(['Automatic checks have resumed.']);
  });

  it('say who checks the parcels, and when that changes', () => {
    const following = { ...working, isFollowing: true };
    expect(pauseMessages(null, following)).toEqual([expect.stringMatching(/^Another parcel-monitor is checking/)]);
    const checkedByNas = {
      ...following,
      connectedPrograms: { checkedBy: { host: 'nas', isHeldByUs: false }, boards: 2 },
    };
    expect(pauseMessages(working, checkedByNas)).toEqual([
      'The parcel-monitor on nas is checking the parcels. This one shows the results.',
    ]);
    expect(pauseMessages(following, following)).toEqual([]);
    expect(pauseMessages(following, working)).toEqual(['This parcel-monitor is now checking the parcels.']);
  });

  it('say once that the budget is used up', () => {
    expect(pauseMessages(working, usedUp(1))).toEqual(['Used up; 1 wait.']);
    expect(pauseMessages(usedUp(1), usedUp(2))).toEqual([]);
    expect(pauseMessages(usedUp(2), working)).toEqual([]);
  });
});
