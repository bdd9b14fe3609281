import { describe, expect, it } from 'vitest';
import type { SeenAnswer, SeenCall } from '../soak/call-log.ts';
import { AskedNumbers } from './asked-numbers.ts';

const call = (at: number, who: string, operation = 'query'): SeenCall => ({ at, operation, who, trackNos: ['A'] });
const answer = (at: number, dueAt: number | null): SeenAnswer => ({
  at,
  isClean: true,
  retryAfterMs: null,
  nextUpdates: new Map(dueAt === null ? [] : [['A', dueAt]]),
});

/** The attic has asked about A, and was told to do so again 20 seconds later. */
function askedByTheAttic(): AskedNumbers {
  const asked = new AskedNumbers(15_000);
  asked.began(call(0, 'attic'));
  asked.answered(call(0, 'attic'), answer(100, 20_000));
  return asked;
}

const clean = { by_two_hosts: 0, too_early: 0, too_late: 0, registered_twice: 0, out_of_turn: 0 };

describe('the judge of what several hosts ask', () => {
  it('finds nothing when each number is asked in time, by whoever goes on after a loss', () => {
    const asked = askedByTheAttic();
    asked.lost('attic', 10_000);
    expect(asked.began(call(30_000, 'nas'))).toBe(null);
    expect(asked.figures()).toMatchObject({ ...clean, queries: 2, asked_again_for_a_lost_answer: 0 });
  });

  it('finds a number that two hosts ask, and a host that asks before its time', () => {
    const two = askedByTheAttic();
    two.lost('attic', 10_000);
    expect(two.began(call(12_000, 'nas'))).toContain('nas asks about A');
    expect(two.figures()).toMatchObject({ ...clean, by_two_hosts: 1 });
    const one = askedByTheAttic();
    expect(one.began(call(12_000, 'attic'))).toContain('8000 ms more');
    expect(one.figures()).toMatchObject({ ...clean, too_early: 1 });
  });

  it('finds two that ask at once', () => {
    const asked = new AskedNumbers(15_000);
    asked.began(call(0, 'attic'));
    expect(asked.began(call(10, 'nas'))).toContain('it is attic that asks');
    expect(asked.figures()).toMatchObject({ ...clean, by_two_hosts: 1, out_of_turn: 1 });
  });

  it('finds a host that goes on although another has taken its place', () => {
    const asked = askedByTheAttic();
    asked.lost('attic', 10_000);
    asked.began(call(30_000, 'nas'));
    asked.answered(call(30_000, 'nas'), answer(30_100, 50_000));
    expect(asked.began(call(50_000, 'attic'))).toContain('it is nas that asks');
    expect(asked.figures()).toMatchObject({ ...clean, out_of_turn: 1 });
  });

  it('lets an answer be asked for again that its host cannot have written before it was lost', () => {
    const asked = askedByTheAttic();
    asked.lost('attic', 1_000);
    expect(asked.began(call(12_000, 'nas'))).toBe(null);
    expect(asked.figures()).toMatchObject({ ...clean, asked_again_for_a_lost_answer: 1, oldest_lost_answer_ms: 900 });
  });

  it('finds what was asked too late, and what was left', () => {
    const asked = askedByTheAttic();
    expect(asked.leftOver(56_000, () => false)).toEqual([]);
    expect(asked.leftOver(57_000, () => false)).toEqual(['A']);
    expect(asked.leftOver(57_000, () => true)).toEqual([]);
    expect(asked.began(call(57_000, 'attic'))).toContain('A was due');
    expect(asked.figures()).toMatchObject({ ...clean, too_late: 1 });
  });

  it('expects nobody to follow a time that had passed before the answer was read', () => {
    const asked = new AskedNumbers(15_000);
    asked.began(call(0, 'attic'));
    asked.answered(call(0, 'attic'), answer(100, 1_000));
    expect(asked.leftOver(60_000, () => false)).toEqual([]);
    expect(asked.began(call(1_800_000, 'attic'))).toBe(null);
    expect(asked.figures()).toMatchObject(clean);
  });

  it('finds a number that is registered twice', () => {
    const asked = new AskedNumbers(15_000);
    asked.began(call(0, 'attic', 'register'));
    asked.answered(call(0, 'attic', 'register'), answer(100, null));
    expect(asked.began(call(20_000, 'attic', 'register'))).toContain('attic registers A');
    expect(asked.figures()).toMatchObject({ ...clean, registered_twice: 1 });
  });
});
