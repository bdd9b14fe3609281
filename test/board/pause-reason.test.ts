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
] as const)('polling that is %s, paused: %s, is held up because of: %s', (phase, paused, reason) => {
  expect(pauseReason({ cutOffSince: null, phase, paused })).toBe(reason);
});
