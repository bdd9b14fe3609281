import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SandboxStartError } from '../../../src/sandbox/errors.ts';
import { type FaultRule, faults, parseFault, readFaultRule } from '../../../src/sandbox/faults/fault-rule.ts';
import { defaultOperations } from '../../../src/service/operations.ts';

it.each<[string, FaultRule]>([
  ['hang', { name: 'hang' }],
  ['error-500:p=0.3', { name: 'error-500', probability: 0.3 }],
  ['reset:count=5', { name: 'reset', count: 5 }],
  ['html-502:query', { name: 'html-502', operation: 'query' }],
  [
    ' slow:delay=250:refreshBatch:p=1:count=0 ',
    { name: 'slow', delayMs: 250, operation: 'refreshBatch', probability: 1, count: 0 },
  ],
])('reads %s', (text, rule) => {
  expect(parseFault(text)).toEqual(rule);
});

it.each([
  ['a name that there is not', 'explode', /no fault "explode".*rate-limit-429, .*every-optional-missing/],
  ['no name', '', /no fault ""/],
  ['a name of every object', 'constructor', /no fault/],
  ['a probability of nothing', 'hang:p=0', /probability/],
  ['a probability above 1', 'hang:p=1.5', /probability/],
  ['a probability that is no number', 'hang:p=often', /probability/],
  ['half a call', 'hang:count=1.5', /count/],
  ['an empty count', 'hang:count=', /count/],
  ['a delay before now', 'slow:delay=-1', /delay/],
  ['an operation that there is not', 'hang:everything', /"everything".*register, .*instant/],
  ['a setting that there is not', 'hang:often=1', /"often=1"/],
])('complains about %s and says what there is', (_, text, message) => {
  expect(() => parseFault(text)).toThrow(SandboxStartError);
  expect(() => parseFault(text)).toThrow(message);
});

it('reads from JSON what it writes, and texts as on the command line', () => {
  const anyRule: fc.Arbitrary<FaultRule> = fc.record(
    {
      name: fc.constantFrom(...(Object.keys(faults) as FaultRule['name'][])),
      probability: fc.double({ min: 0.001, max: 1, noNaN: true }),
      count: fc.nat(),
      operation: fc.constantFrom(...(Object.keys(defaultOperations) as (keyof typeof defaultOperations)[])),
      delayMs: fc.nat(100_000),
    },
    { requiredKeys: ['name'] },
  );
  fc.assert(
    fc.property(anyRule, (rule) => {
      expect(readFaultRule(JSON.parse(JSON.stringify(rule)))).toEqual(rule);
    }),
  );
  expect(readFaultRule('slow:count=2')).toEqual({ name: 'slow', count: 2 });
});

it.each([
  [null],
  [17],
  [{}],
  [{ name: 7 }],
  [{ name: 'hang', count: '5' }],
  [{ name: 'hang', operation: 9 }],
  [['hang']],
])('complains about %j as a fault', (value) => {
  expect(() => readFaultRule(value)).toThrow(
    expect.objectContaining({ name: 'SandboxStartError', kind: 'unusable-option' }),
  );
});
