import { describe, expect, it } from 'vitest';
import { CallLog, type SeenAnswer, type SeenCall } from './call-log.ts';

const query = (at: number, who = 'board'): SeenCall => ({ at, operation: 'query', who, trackNos: ['A'] });
const answer = (at: number, nextUpdate: number | null, fields: Partial<SeenAnswer> = {}): SeenAnswer => ({
  at,
  isClean: true,
  retryAfterMs: null,
  nextUpdates: nextUpdate === null ? new Map() : new Map([['A', nextUpdate]]),
  ...fields,
});

/** A log in which the service has said at 0 that A is updated at a minute. */
function toldLog(): CallLog {
  const log = new CallLog();
  log.began(query(0));
  log.answered(query(0), answer(0, 60_000));
  return log;
}

describe('the log of calls of a soak', () => {
  it('takes a query at its due time as explained, and one before it as not', () => {
    const log = toldLog();
    expect(log.began(query(60_000))).toBe(null);
    expect(toldLog().began(query(30_000))).toContain('A (due in 30000 ms)');
    expect(log.figures()).toMatchObject({ calls: 2, due: 1, withoutReason: 0 });
  });

  it('takes as many early queries as explained as somebody asked for', () => {
    const log = toldLog();
    log.expect(9_000, 1);
    expect(log.began(query(10_000))).toBe(null);
    expect(log.began(query(11_000))).not.toBe(null);
    expect(log.figures()).toMatchObject({ asked: 1, withoutReason: 1 });
  });

  it('lets a query follow a spoilt answer, and a process that was killed', () => {
    const spoilt = toldLog();
    spoilt.answered(query(1_000), answer(1_000, 60_000, { isClean: false }));
    expect(spoilt.began(query(2_000))).toBe(null);
    const killed = toldLog();
    killed.forgetSince(0);
    expect(killed.began(query(2_000))).toBe(null);
    expect(killed.figures().afterTrouble).toBe(2);
  });

  it('counts a sixth call of one process in a second as a burst', () => {
    const log = new CallLog();
    const complaints = Array.from({ length: 6 }, (_, index) => log.began(query(index * 10)));
    expect(complaints.slice(0, 5)).toEqual([null, null, null, null, null]);
    expect(complaints[5]).toContain('6 calls of query by board in a second');
    expect(log.figures()).toMatchObject({ mostInASecond: 6, mostInASecondTogether: 6 });
  });

  it('counts a call while the service has asked for a pause', () => {
    const log = new CallLog();
    log.answered(query(0), answer(0, null, { isClean: false, retryAfterMs: 10_000 }));
    expect(log.began(query(500))).toBe(null);
    expect(log.began(query(5_000))).toContain('before the end of a pause');
    expect(log.began(query(10_000))).toBe(null);
    expect(log.figures().whileToldToWait).toBe(1);
  });
});
