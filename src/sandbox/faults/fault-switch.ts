import type { OperationName } from '../../service/operations.ts';
import { seededRandom } from '../seeded-random.ts';
import type { FaultRule } from './fault-rule.ts';
import { type Spoil, spoiledAnswers } from './spoil-answer.ts';

/** A fault that is to happen to a call. */
export interface Strike {
  readonly rule: FaultRule;
  /** What it makes of a success; null for a fault of another kind. */
  readonly spoil: Spoil | null;
  /** Counts the call as spoilt. */
  spend(): void;
}

/** Which faults are on. They can be changed while the sandbox runs. */
export interface FaultSwitch {
  /** The rules in force; `count` is what is left of it. */
  rules(): readonly FaultRule[];
  /** Puts other rules in force. */
  set(rules: readonly FaultRule[]): void;
  /** The faults that are to happen to the next call of an operation, in the order of the rules. */
  strikesFor(operation: OperationName): readonly Strike[];
}

interface ActiveRule {
  readonly rule: FaultRule;
  readonly spoil: Spoil | null;
  left: number | null;
}

function activate(rule: FaultRule): ActiveRule {
  return { rule, spoil: spoiledAnswers[rule.name]?.() ?? null, left: rule.count ?? null };
}

/** A switch with these rules in force; the same seed strikes the same calls. */
export function createFaultSwitch(seed: number, rules: readonly FaultRule[]): FaultSwitch {
  const random = seededRandom(seed, 'faults');
  let active = rules.map(activate);
  return {
    rules: () => active.map(({ rule, left }) => (left === null ? rule : { ...rule, count: left })),
    set: (next) => {
      active = next.map(activate);
    },
    strikesFor: (operation) =>
      active
        .filter(({ rule, left }) => left !== 0 && (rule.operation ?? operation) === operation)
        .filter(({ rule }) => rule.probability === undefined || random() < rule.probability)
        .map((entry) => ({
          rule: entry.rule,
          spoil: entry.spoil,
          spend: () => {
            if (entry.left !== null) entry.left = Math.max(0, entry.left - 1);
          },
        })),
  };
}
