import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type FaultRule,
  faults,
  parseFault,
  readFaultRule,
  SandboxStartError,
} from '../../../src/sandbox/faults/fault-rule.ts';
import { defaultOperations } from '../../../src/service/port.ts';
import { forAll } from '../../support/for-all.ts';

it.each<[string, FaultRule]>([
  ['hang', { name: 'hang' }],
  ['error-500:p=0.3', { name: 'error-500', probability: 0.3 }],
  ['reset:count=5', { name: 'reset', count: 5 }],
  ['html-502:query', { name: 'html-502', operation: 'query' }],
  ['slow:2s', { name: 'slow', delayMs: 2_000 }],
  ['hang:register:number=A1, b2', { name: 'hang', operation: 'register', numbers: ['A1', 'b2'] }],
  ['lag:5s-1.5m', { name: 'lag', delayMs: 5_000, longestMs: 90_000 }],
  ['lag:20m:number=A1', { name: 'lag', delayMs: 1_200_000, numbers: ['A1'] }],
  ['skew:-90s', { name: 'skew', delayMs: -90_000 }],
  ['interval:3h', { name: 'interval', delayMs: 10_800_000 }],
  [
    ' slow:delay=250:refreshBatch:p=1:count=0 ',
    { name: 'slow', delayMs: 250, operation: 'refreshBatch', probability: 1, count: 0 },
  ],
])('reads %s', (text, rule) => expect(parseFault(text)).toEqual(rule));

it.each([
  ['an unknown name', 'explode', /Unknown fault "explode".*rate-limit-429, .*every-optional-missing/],
  ['an empty name', '', /Unknown fault ""/],
  ['the name of a property of all objects', 'constructor', /Unknown fault/],
  ['an empty probability', 'hang:p=0', /probability/],
  ['a probability above 1', 'hang:p=1.5', /probability/],
  ['a probability that is not a number', 'hang:p=often', /probability/],
  ['a fractional count', 'hang:count=1.5', /count/],
  ['an empty count', 'hang:count=', /count/],
  ['a negative time', 'slow:delay=-1', /time.*slow.*negative/],
  ['a time that is too long for a timer', 'slow:30d', /time/],
  ['an empty tracking number', 'hang:number=', /numbers/],
  ['an empty number in a list', 'hang:number=A1,,B2', /numbers/],
  ['a range for a fault that takes a single time', 'slow:1s-2s', /one time/],
  ['a reversed range', 'lag:60s-5s', /shorter time/],
  ['a planning fault for one operation', 'lag:30s:query', /always active/],
  ['a planning fault for some calls', 'never-looked-up:p=0.5', /always active/],
  ['a skewed clock for one number', 'skew:90s:number=A1', /whole service/],
  ['an unknown operation', 'hang:everything', /"everything".*register, .*instant/],
  ['an unknown setting', 'hang:often=1', /"often=1"/],
])('rejects %s and lists the choices', (_, text, message) => {
  expect(() => parseFault(text)).toThrow(SandboxStartError);
  expect(() => parseFault(text)).toThrow(message);
});

/** Faults that affect calls, and so are not active all the time. */
const callFaults = (Object.keys(faults) as FaultRule['name'][]).filter(
  (name) => !['lag', 'interval', 'never-looked-up', 'skew'].includes(name),
);

it('reads the JSON that it writes, and the strings of the command line', () => {
  const anyRule: fc.Arbitrary<FaultRule> = fc.record(
    {
      name: fc.constantFrom(...callFaults),
      probability: fc.double({ min: 0.001, max: 1, noNaN: true }),
      count: fc.nat(),
      operation: fc.constantFrom(...(Object.keys(defaultOperations) as (keyof typeof defaultOperations)[])),
      numbers: fc.array(fc.string({ minLength: 1 }), { minLength: 1 }),
      delayMs: fc.nat(100_000),
    },
    { requiredKeys: ['name'] },
  );
  forAll(anyRule, (rule) => {
    expect(readFaultRule(JSON.parse(JSON.stringify(rule)))).toEqual(rule);
  });
  expect(readFaultRule('slow:count=2')).toEqual({ name: 'slow', count: 2 });
});

it.each([
  [null],
  [17],
  [{}],
  [{ name: 7 }],
  [{ name: 'hang', count: '5' }],
  [{ name: 'hang', operation: 9 }],
  [{ name: 'hang', numbers: 'A1' }],
  [{ name: 'hang', numbers: [] }],
  [['hang']],
])('rejects %j as a fault', (value) => {
  expect(() => readFaultRule(value)).toThrow(
    expect.objectContaining({ name: 'SandboxStartError', kind: 'unusable-option' }),
  );
});
