import { expect, test } from 'vitest';
import { measureInTurn } from './in-turn.ts';

test('programs run in turn, another one first each round, and what warms up does not count', async () => {
  const calls: string[] = [];
  const run = (name: string) => () => {
    calls.push(name);
    return Promise.resolve(calls.length);
  };
  const results = await measureInTurn({ rounds: 2, warmUps: 1 }, { a: run('a'), b: run('b'), c: run('c') });
  expect(calls.join('')).toBe('abcbcacab');
  expect(results).toEqual({ a: [6, 8], b: [4, 9], c: [5, 7] });
});
