import { describe, expect, it } from 'vitest';
import { AskedNumbers, CallLog, type SeenAnswer, type SeenCall } from './calls.ts';

const query = (at: number, who = 'board'): SeenCall => ({ at, operation: 'query', who, trackNos: ['A'] });
const answer = (at: number, nextUpdate: number | null, fields: Partial<SeenAnswer> = {}): SeenAnswer => ({
  at,
  isClean: true,
  retryAfterMs: null,
  nextUpdates: nextUpdate === null ? new Map() : new Map([['A', nextUpdate]]),
  ...fields,
});

/** A log in which the service has announced at 0 that A is updated at one minute. */
function toldLog(): CallLog {
  const log = new CallLog();
  log.began(query(0));
  log.answered(query(0), answer(0, 60_000));
  return log;
}

describe('the call log of many programs', () => {
  it('accepts a query at its due time, but not before', () => {
    const log = toldLog();
    expect(log.began(query(60_000))).toBe(null);
    expect(toldLog().began(query(30_000))).toContain('A (due in 30000 ms)');
    expect(log.figures()).toMatchObject({ calls: 2, queries_due: 1 });
  });

  it('accepts as many early queries as were requested', () => {
    const log = toldLog();
    log.expect(9_000, 1);
    expect(log.began(query(10_000))).toBe(null);
    expect(log.began(query(11_000))).not.toBe(null);
    expect(log.figures()).toMatchObject({ queries_asked_for: 1 });
  });

  it('accepts a query after a spoilt response, and after a killed process', () => {
    const spoilt = toldLog();
    spoilt.answered(query(1_000), answer(1_000, 60_000, { isClean: false }));
    expect(spoilt.began(query(2_000))).toBe(null);
    const killed = toldLog();
    killed.forgetSince(0);
    expect(killed.began(query(2_000))).toBe(null);
    expect(killed.figures().queries_after_trouble).toBe(2);
  });

  it('counts a process’s sixth call in a second as a burst', () => {
    const log = new CallLog();
    const complaints = Array.from({ length: 6 }, (_, index) => log.began(query(index * 10)));
    expect(complaints.slice(0, 5)).toEqual([null, null, null, null, null]);
    expect(complaints[5]).toContain('6 calls of query by board in a second');
    expect(log.figures()).toMatchObject({ most_calls_in_a_second: 6 });
  });

  it('counts a call while the service has asked for a pause', () => {
    const log = new CallLog();
    log.answered(query(0), answer(0, null, { isClean: false, retryAfterMs: 10_000 }));
    expect(log.began(query(500))).toBe(null);
    expect(log.began(query(5_000))).toContain('before the end of a pause');
    expect(log.began(query(10_000))).toBe(null);
  });
});

const call = (at: number, who: string, operation = 'query'): SeenCall => ({ at, operation, who, trackNos: ['A'] });
const told = (at: number, dueAt: number | null): SeenAnswer => ({
  at,
  isClean: true,
  retryAfterMs: null,
  nextUpdates: new Map(dueAt === null ? [] : [['A', dueAt]]),
});

/** The attic has queried A, and was told to do so again 20 seconds later. */
function askedByTheAttic(): AskedNumbers {
  const asked = new AskedNumbers(15_000);
  asked.began(call(0, 'attic'));
  asked.answered(call(0, 'attic'), told(100, 20_000));
  return asked;
}

const clean = { by_two_hosts: 0, too_early: 0, too_late: 0, registered_twice: 0, out_of_turn: 0 };

describe('the check of queries by several hosts', () => {
  it('finds nothing if each number is queried in time, after a loss by the host that takes over', () => {
    const asked = askedByTheAttic();
    asked.lost('attic', 10_000);
    expect(asked.began(call(30_000, 'nas'))).toBe(null);
    expect(asked.figures()).toMatchObject({ ...clean, queries: 2, again_for_a_lost_answer: 0 });
  });

  it('finds a number that two hosts query, and a host that queries too early', () => {
    const two = askedByTheAttic();
    two.lost('attic', 10_000);
    expect(two.began(call(12_000, 'nas'))).toContain('nas asks about A');
    expect(two.figures()).toMatchObject({ ...clean, by_two_hosts: 1 });
    const one = askedByTheAttic();
    expect(one.began(call(12_000, 'attic'))).toContain('8000 ms more');
    expect(one.figures()).toMatchObject({ ...clean, too_early: 1 });
  });

  it('finds two hosts that query at the same time', () => {
    const asked = new AskedNumbers(15_000);
    asked.began(call(0, 'attic'));
    expect(asked.began(call(10, 'nas'))).toContain('it is attic that asks');
    expect(asked.figures()).toMatchObject({ ...clean, by_two_hosts: 1, out_of_turn: 1 });
  });

  it('finds a host that continues although a different one has taken over', () => {
    const asked = askedByTheAttic();
    asked.lost('attic', 10_000);
    asked.began(call(30_000, 'nas'));
    asked.answered(call(30_000, 'nas'), told(30_100, 50_000));
    expect(asked.began(call(50_000, 'attic'))).toContain('it is nas that asks');
    expect(asked.figures()).toMatchObject({ ...clean, out_of_turn: 1 });
  });

  it('accepts a repeated query if its host was lost before it could save the response', () => {
    const asked = askedByTheAttic();
    asked.lost('attic', 1_000);
    expect(asked.began(call(12_000, 'nas'))).toBe(null);
    expect(asked.figures()).toMatchObject({ ...clean, again_for_a_lost_answer: 1 });
  });

  it('finds numbers that were queried too late or not at all', () => {
    const asked = askedByTheAttic();
    expect(asked.leftOver(56_000, () => false)).toEqual([]);
    expect(asked.leftOver(57_000, () => false)).toEqual(['A']);
    expect(asked.leftOver(57_000, () => true)).toEqual([]);
    expect(asked.began(call(57_000, 'attic'))).toContain('A was due');
    expect(asked.figures()).toMatchObject({ ...clean, too_late: 1 });
  });

  it('does not expect a time that had passed before the response was read', () => {
    const asked = new AskedNumbers(15_000);
    asked.began(call(0, 'attic'));
    asked.answered(call(0, 'attic'), told(100, 1_000));
    expect(asked.leftOver(60_000, () => false)).toEqual([]);
    expect(asked.began(call(1_800_000, 'attic'))).toBe(null);
    expect(asked.figures()).toMatchObject(clean);
  });

  it('finds a number that is registered twice', () => {
    const asked = new AskedNumbers(15_000);
    asked.began(call(0, 'attic', 'register'));
    asked.answered(call(0, 'attic', 'register'), told(100, null));
    expect(asked.began(call(20_000, 'attic', 'register'))).toContain('attic registers A');
    expect(asked.figures()).toMatchObject({ ...clean, registered_twice: 1 });
  });
});
