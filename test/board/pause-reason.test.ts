import { expect, it } from 'vitest';
import { pauseReason } from '../../src/board/header-problem.ts';

it.each([
  ['off', false, 'no-key'],
  ['stopped', true, 'stopped'],
  ['waiting', true, 'paused'],
  ['backing-off', true, 'paused'],
  ['backing-off', false, null],
  ['checking', false, null],
  ['waiting', false, null],
] as const)('pauseReason for phase "%s", paused: %s, is %s', (phase, paused, reason) => {
  expect(pauseReason({ cutOffSince: null, phase, paused })).toBe(reason);
});
