import type { Clock, EpochMs } from '../../lib/clock.ts';
import type { OperationName } from '../../service/port.ts';
import { seededRandom } from '../seeded-random.ts';
import type { Account } from '../world/account.ts';
import type { Registration } from '../world/registration.ts';
import { type Corrupt, corruptedRecords, corruptedResponses } from './corrupt-response.ts';
import { concerns, type FaultRule } from './fault-rule.ts';

export interface ActiveFault {
  readonly rule: FaultRule;
  /** Null for faults that do not change the response. */
  readonly corrupt: Corrupt | null;
  consume(): void;
}

export type FaultSwitch = ReturnType<typeof createFaultSwitch>;

interface ActiveRule {
  readonly rule: FaultRule;
  readonly corrupt: Corrupt | null;
  left: number | null;
}

function activate(rule: FaultRule): ActiveRule {
  const corrupt = corruptedRecords[rule.name]?.(rule) ?? corruptedResponses[rule.name]?.() ?? null;
  return { rule, corrupt, left: rule.count ?? null };
}

/** Faults that change records affect only some numbers of a call. All other faults affect the whole call. */
const mayAffect = (rule: FaultRule, named: readonly string[]): boolean =>
  rule.numbers === undefined || rule.name in corruptedRecords || named.some((trackNo) => concerns(rule, trackNo));

/** With the same seed, the same calls are affected. */
export function createFaultSwitch(seed: number, rules: readonly FaultRule[]) {
  const random = seededRandom(seed, 'faults');
  const listeners: (() => void)[] = [];
  let active = rules.map(activate);
  return {
    /** In these rules, `count` is the number of uses that are left. */
    rules: (): readonly FaultRule[] =>
      active.map(({ rule, left }) => (left === null ? rule : { ...rule, count: left })),
    set: (next: readonly FaultRule[]): void => {
      active = next.map(activate);
      for (const listener of listeners) listener();
    },
    /** Calls `listener` after every {@link set}. */
    listen: (listener: () => void): void => {
      listeners.push(listener);
    },
    get dependsOnNumbers() {
      return active.some(({ rule }) => rule.numbers !== undefined);
    },
    faultsFor: (operation: OperationName, named: readonly string[] = []): readonly ActiveFault[] =>
      active
        .filter(({ rule, left }) => left !== 0 && (rule.operation ?? operation) === operation && mayAffect(rule, named))
        .filter(({ rule }) => rule.probability === undefined || random() < rule.probability)
        .map((entry) => ({
          rule: entry.rule,
          corrupt: entry.corrupt,
          consume: () => {
            if (entry.left !== null) entry.left = Math.max(0, entry.left - 1);
          },
        })),
  };
}

export const defaultIndexingMs = 10 * 60_000;

/**
 * Hides accepted registrations for a while: calls treat the number as not registered, and it can be registered again.
 * Clients of the public service have observed this.
 */
export type SlowIndex = ReturnType<typeof createSlowIndex>;

export function createSlowIndex(account: Account, clock: Clock) {
  let hidden: readonly { readonly registration: Registration; readonly until: EpochMs }[] = [];
  const isSame = (a: Registration, b: Registration): boolean =>
    a.trackNo.toUpperCase() === b.trackNo.toUpperCase() && a.courier.code === b.courier.code;
  return {
    get registered() {
      return account.added;
    },
    /** Hides the matching registrations from `since` on, and returns how many there are. */
    hide: (since: number, delayMs: number, isMeant: (trackNo: string) => boolean): number => {
      const fresh = account.all().filter(({ sequence, trackNo }) => sequence >= since && isMeant(trackNo));
      for (const registration of fresh) {
        account.remove(registration);
        // Registering a hidden number again does not extend the delay.
        if (hidden.some((one) => isSame(one.registration, registration))) continue;
        hidden = [...hidden, { registration, until: registration.registeredAt + delayMs }];
      }
      return fresh.length;
    },
    /** Shows the registrations whose delay is over. Call it before reading the account. */
    surface: (): void => {
      if (hidden.length === 0) return;
      const now = clock.now();
      const due = hidden.filter(({ until }) => until <= now);
      hidden = hidden.filter(({ until }) => until > now);
      for (const { registration } of due) {
        const { trackNo, courier } = registration;
        if (account.find(trackNo, courier.code).length === 0) account.put(registration);
      }
    },
  };
}
