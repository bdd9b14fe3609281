import { expect, it } from 'vitest';
import { createFaultSwitch } from '../../../src/sandbox/faults/active-faults.ts';

const affectedCalls = (seed: number, calls: number): readonly boolean[] => {
  const faults = createFaultSwitch(seed, [{ name: 'hang', probability: 0.3 }]);
  return Array.from({ length: calls }, () => faults.faultsFor('query').length > 0);
};

it('affects calls with the given probability, and the same calls with the same seed', () => {
  const affected = affectedCalls(1, 2000);
  expect(affected.filter(Boolean).length / 2000).toBeGreaterThan(0.25);
  expect(affected.filter(Boolean).length / 2000).toBeLessThan(0.35);
  expect(affectedCalls(1, 2000)).toEqual(affected);
  expect(affectedCalls(2, 2000)).not.toEqual(affected);
});

it('affects only its operation, and ends after its number of calls', () => {
  const faults = createFaultSwitch(1, [{ name: 'hang', count: 2, operation: 'query' }]);
  expect(faults.faultsFor('queryV2')).toEqual([]);
  const [unspent] = faults.faultsFor('query');
  expect(unspent?.rule.name).toBe('hang');
  expect(faults.rules()).toEqual([{ name: 'hang', count: 2, operation: 'query' }]);
  for (const fault of [...faults.faultsFor('query'), ...faults.faultsFor('query')]) fault.consume();
  expect(faults.rules()).toEqual([{ name: 'hang', count: 0, operation: 'query' }]);
  expect(faults.faultsFor('query')).toEqual([]);
});

it('applies several faults to one call, in the order of the rules', () => {
  const faults = createFaultSwitch(1, [{ name: 'slow' }, { name: 'error-500' }]);
  expect(faults.faultsFor('couriers').map(({ rule }) => rule.name)).toEqual(['slow', 'error-500']);
  faults.set([]);
  expect(faults.faultsFor('couriers')).toEqual([]);
});
