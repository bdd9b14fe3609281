import { expect, test } from 'vitest';
import { groupNames, readBenchOptions } from './bench-options.ts';

test('all parts are measured unless some are asked for', () => {
  expect([...readBenchOptions([]).groups]).toEqual(groupNames);
  expect([...readBenchOptions(['--only', 'keys,start']).groups]).toEqual(['keys', 'start']);
});

test('a part that does not exist is named, with those that do', () => {
  expect(() => readBenchOptions(['--only', 'speed'])).toThrow('There is no part "speed"; there are start, commands,');
});

test('a quick run measures the same in fewer rounds', () => {
  const [quick, whole] = [readBenchOptions(['--quick']), readBenchOptions([])];
  expect(quick.startRounds.rounds).toBeLessThan(whole.startRounds.rounds);
  expect([...quick.groups]).toEqual([...whole.groups]);
});
