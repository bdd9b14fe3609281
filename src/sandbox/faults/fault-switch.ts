import type { OperationName } from '../../service/operations.ts';
import type { JsonValue } from '../../service/text/json.ts';
import { seededRandom } from '../seeded-random.ts';
import type { FaultRule } from './fault-rule.ts';

/** What a fault remembers from one spoilt call to the next. */
export interface FaultMemory {
  /** Numbers whose records went out whole. */
  readonly shownWhole: Set<string>;
  /** Records of the newest first page; null before there was one. */
  firstPage: readonly JsonValue[] | null;
}

/** A fault that is to happen to a call. */
export interface Strike {
  readonly rule: FaultRule;
  readonly memory: FaultMemory;
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
  readonly memory: FaultMemory;
  left: number | null;
}

function activate(rule: FaultRule): ActiveRule {
  return { rule, memory: { shownWhole: new Set(), firstPage: null }, left: rule.count ?? null };
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
          memory: entry.memory,
          spend: () => {
            if (entry.left !== null) entry.left = Math.max(0, entry.left - 1);
          },
        })),
  };
}
