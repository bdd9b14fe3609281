import { expect, it } from 'vitest';
import { askingRest } from '../../../src/board/header/pause-reason.ts';

it.each([
  ['off', false, 'no-key'],
  ['stopped', true, 'stopped'],
  ['waiting', true, 'paused'],
  ['backing-off', true, 'paused'],
  ['backing-off', false, null],
  ['asking', false, null],
  ['waiting', false, null],
] as const)('an asking that is %s, paused: %s, rests because of: %s', (phase, paused, rest) => {
  expect(askingRest({ phase, paused })).toBe(rest);
});
