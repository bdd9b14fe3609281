import { describe, expect, it } from 'vitest';
import { type Call, CallLog, type CallResponse, QueryChecker } from './calls.ts';

const query = (at: number, who = 'board'): Call => ({ at, operation: 'query', who, trackNos: ['A'] });
const response = (at: number, nextUpdate: number | null, fields: Partial<CallResponse> = {}): CallResponse => ({
  at,
  isClean: true,
  retryAfterMs: null,
  nextUpdates: nextUpdate === null ? new Map() : new Map([['A', nextUpdate]]),
  ...fields,
});

/** A log in which the service announced at 0 that A will be updated after one minute. */
function logWithDueTime(): CallLog {
  const log = new CallLog();
  log.onCall(query(0));
  log.onResponse(query(0), response(0, 60_000));
  return log;
}

describe('the call log of several programs', () => {
  it('accepts a query at its due time, but not before', () => {
    const log = logWithDueTime();
    expect(log.onCall(query(60_000))).toBe(null);
    expect(logWithDueTime().onCall(query(30_000))).toContain('A (due in 30000 ms)');
    expect(log.figures()).toMatchObject({ calls: 2, queries_due: 1 });
  });

  it('accepts as many early queries as were requested', () => {
    const log = logWithDueTime();
    log.expect(9_000, 1);
    expect(log.onCall(query(10_000))).toBe(null);
    expect(log.onCall(query(11_000))).not.toBe(null);
    expect(log.figures()).toMatchObject({ queries_asked_for: 1 });
  });

  it('accepts a query after a corrupted response or a killed process', () => {
    const corrupted = logWithDueTime();
    corrupted.onResponse(query(1_000), response(1_000, 60_000, { isClean: false }));
    expect(corrupted.onCall(query(2_000))).toBe(null);
    const killed = logWithDueTime();
    killed.forgetSince(0);
    expect(killed.onCall(query(2_000))).toBe(null);
    expect(killed.figures().queries_after_trouble).toBe(2);
  });

  it('reports a process’s sixth call within a second', () => {
    const log = new CallLog();
    const complaints = Array.from({ length: 6 }, (_, index) => log.onCall(query(index * 10)));
    expect(complaints.slice(0, 5)).toEqual([null, null, null, null, null]);
    expect(complaints[5]).toContain('6 query calls by board in a second');
    expect(log.figures()).toMatchObject({ most_calls_in_a_second: 6 });
  });

  it('reports a call during a pause that the service requested', () => {
    const log = new CallLog();
    log.onResponse(query(0), response(0, null, { isClean: false, retryAfterMs: 10_000 }));
    expect(log.onCall(query(500))).toBe(null);
    expect(log.onCall(query(5_000))).toContain('before the end of a pause');
    expect(log.onCall(query(10_000))).toBe(null);
  });
});

const call = (at: number, who: string, operation = 'query'): Call => ({ at, operation, who, trackNos: ['A'] });
const responseAt = (at: number, dueAt: number | null): CallResponse => ({
  at,
  isClean: true,
  retryAfterMs: null,
  nextUpdates: new Map(dueAt === null ? [] : [['A', dueAt]]),
});

/** Host `attic` queried A, and the response announced the next update 20 seconds later. */
function queriedByAttic(): QueryChecker {
  const checker = new QueryChecker(15_000);
  checker.onCall(call(0, 'attic'));
  checker.onResponse(call(0, 'attic'), responseAt(100, 20_000));
  return checker;
}

const clean = { by_two_hosts: 0, too_early: 0, too_late: 0, registered_twice: 0, out_of_turn: 0 };

describe('the check of queries from several hosts', () => {
  it('finds nothing if each number is queried on time, even if a different host takes over', () => {
    const checker = queriedByAttic();
    checker.lost('attic', 10_000);
    expect(checker.onCall(call(30_000, 'nas'))).toBe(null);
    expect(checker.figures()).toMatchObject({ ...clean, queries: 2, again_for_a_lost_answer: 0 });
  });

  it('finds a number that two hosts query, and one that is queried too early', () => {
    const byTwo = queriedByAttic();
    byTwo.lost('attic', 10_000);
    expect(byTwo.onCall(call(12_000, 'nas'))).toContain('nas queries A');
    expect(byTwo.figures()).toMatchObject({ ...clean, by_two_hosts: 1 });
    const tooEarly = queriedByAttic();
    expect(tooEarly.onCall(call(12_000, 'attic'))).toContain('8000 ms more');
    expect(tooEarly.figures()).toMatchObject({ ...clean, too_early: 1 });
  });

  it('finds two hosts that query at the same time', () => {
    const checker = new QueryChecker(15_000);
    checker.onCall(call(0, 'attic'));
    expect(checker.onCall(call(10, 'nas'))).toContain('attic is polling');
    expect(checker.figures()).toMatchObject({ ...clean, by_two_hosts: 1, out_of_turn: 1 });
  });

  it('finds a host that continues after a different one took over', () => {
    const checker = queriedByAttic();
    checker.lost('attic', 10_000);
    checker.onCall(call(30_000, 'nas'));
    checker.onResponse(call(30_000, 'nas'), responseAt(30_100, 50_000));
    expect(checker.onCall(call(50_000, 'attic'))).toContain('nas is polling');
    expect(checker.figures()).toMatchObject({ ...clean, out_of_turn: 1 });
  });

  it('accepts a repeated query if its host was lost before it could save the response', () => {
    const checker = queriedByAttic();
    checker.lost('attic', 1_000);
    expect(checker.onCall(call(12_000, 'nas'))).toBe(null);
    expect(checker.figures()).toMatchObject({ ...clean, again_for_a_lost_answer: 1 });
  });

  it('finds numbers that were queried too late or not at all', () => {
    const checker = queriedByAttic();
    expect(checker.leftOver(56_000, () => false)).toEqual([]);
    expect(checker.leftOver(57_000, () => false)).toEqual(['A']);
    expect(checker.leftOver(57_000, () => true)).toEqual([]);
    expect(checker.onCall(call(57_000, 'attic'))).toContain('A was due');
    expect(checker.figures()).toMatchObject({ ...clean, too_late: 1 });
  });

  it('does not expect a query at a time that passed before the response was read', () => {
    const checker = new QueryChecker(15_000);
    checker.onCall(call(0, 'attic'));
    checker.onResponse(call(0, 'attic'), responseAt(100, 1_000));
    expect(checker.leftOver(60_000, () => false)).toEqual([]);
    expect(checker.onCall(call(1_800_000, 'attic'))).toBe(null);
    expect(checker.figures()).toMatchObject(clean);
  });

  it('finds a number that is registered twice', () => {
    const checker = new QueryChecker(15_000);
    checker.onCall(call(0, 'attic', 'register'));
    checker.onResponse(call(0, 'attic', 'register'), responseAt(100, null));
    expect(checker.onCall(call(20_000, 'attic', 'register'))).toContain('attic registers A');
    expect(checker.figures()).toMatchObject({ ...clean, registered_twice: 1 });
  });
});
