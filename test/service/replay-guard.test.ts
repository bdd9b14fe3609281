import { describe, expect, it } from 'vitest';
import { createReplayGuard } from '../../src/service/webhook-rules.ts';

const minute = 60_000;

describe('the replay guard', () => {
  it('knows what was taken', () => {
    const guard = createReplayGuard(5 * minute);
    expect(guard.has('a')).toBe(false);
    guard.add('a', 0);
    expect(guard.has('a')).toBe(true);
  });

  it('forgets when the timestamp would be refused anyway, ten minutes later at most', () => {
    const guard = createReplayGuard(5 * minute);
    guard.add('a', 0);
    guard.add('b', 10 * minute);
    expect(guard.has('a')).toBe(true);
    guard.add('c', 10 * minute + 1);
    expect(['a', 'b', 'c'].map((name) => guard.has(name))).toEqual([false, true, true]);
  });

  it('remembers as long as a callback of its age is taken', () => {
    const guard = createReplayGuard(60 * 60 * minute);
    guard.add('a', 0);
    guard.add('b', (60 * 60 + 5) * minute);
    expect(guard.has('a')).toBe(true);
    guard.add('c', (60 * 60 + 5) * minute + 1);
    expect(guard.has('a')).toBe(false);
  });

  it('holds no more than it may, and forgets the oldest first', () => {
    const guard = createReplayGuard(5 * minute, 3);
    for (const name of ['a', 'b', 'c', 'd']) guard.add(name, 0);
    expect(['a', 'b', 'c', 'd'].map((name) => guard.has(name))).toEqual([false, true, true, true]);
  });
});
