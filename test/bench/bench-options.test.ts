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

test('a database is measured by itself, of as many parcels as are asked for', () => {
  const { databaseParcels, groups } = readBenchOptions(['--store', 'postgres', '--parcels', '1000,20000']);
  expect([...groups]).toEqual(['database']);
  expect(databaseParcels).toEqual([1000, 20_000]);
});

test.each([
  [['--store', 'mysql'], '--store must be file or postgres.'],
  [['--store', 'postgres', '--only', 'keys'], 'there are no parts'],
  [['--parcels', '1000'], 'for --store postgres'],
  [['--store', 'postgres', '--parcels', '1e9x'], 'whole numbers'],
])('%j is refused', (given, reason) => {
  expect(() => readBenchOptions(given)).toThrow(reason);
});
