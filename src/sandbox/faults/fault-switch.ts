import type { Clock, EpochMs } from '../../lib/clock.ts';
import type { OperationName } from '../../service/port.ts';
import { seededRandom } from '../seeded-random.ts';
import type { Account } from '../world/account.ts';
import type { Registration } from '../world/registration.ts';
import { concerns, type FaultRule } from './fault-rule.ts';
import { type Spoil, spoiledAnswers, spoiledRecords } from './spoil-answer.ts';

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
  set(rules: readonly FaultRule[]): void;
  /** Has `listener` called after other rules have come into force. */
  listen(listener: () => void): void;
  readonly dependsOnNumbers: boolean;
  /** The faults that are to happen to the next call of an operation, which names these numbers, in the order of the rules. */
  strikesFor(operation: OperationName, named?: readonly string[]): readonly Strike[];
}

interface ActiveRule {
  readonly rule: FaultRule;
  readonly spoil: Spoil | null;
  left: number | null;
}

function activate(rule: FaultRule): ActiveRule {
  const spoil = spoiledRecords[rule.name]?.(rule) ?? spoiledAnswers[rule.name]?.() ?? null;
  return { rule, spoil, left: rule.count ?? null };
}

/** Faults of records spare the other numbers of a call; all others happen to a call as a whole. */
const mayStrike = (rule: FaultRule, named: readonly string[]): boolean =>
  rule.numbers === undefined || rule.name in spoiledRecords || named.some((trackNo) => concerns(rule, trackNo));

/** A switch with these rules in force; the same seed strikes the same calls. */
export function createFaultSwitch(seed: number, rules: readonly FaultRule[]): FaultSwitch {
  const random = seededRandom(seed, 'faults');
  const listeners: (() => void)[] = [];
  let active = rules.map(activate);
  return {
    rules: () => active.map(({ rule, left }) => (left === null ? rule : { ...rule, count: left })),
    set: (next) => {
      active = next.map(activate);
      for (const listener of listeners) listener();
    },
    listen: (listener) => {
      listeners.push(listener);
    },
    get dependsOnNumbers() {
      return active.some(({ rule }) => rule.numbers !== undefined);
    },
    strikesFor: (operation, named = []) =>
      active
        .filter(({ rule, left }) => left !== 0 && (rule.operation ?? operation) === operation && mayStrike(rule, named))
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

/** How long the numbers of a spoilt registration are not known, unless the fault says otherwise. */
export const defaultIndexingMs = 10 * 60_000;

/**
 * Registrations that were accepted and are not in the account's index yet (a client of the public service has met
 * them): until then the service knows the number no better than one that nobody has registered, and takes it once more.
 */
export interface SlowIndex {
  /** How many numbers were ever registered. */
  readonly registered: number;
  /**
   * Takes what was registered since there were so many, as far as it is meant, out of the account for so long; answers how
   * many numbers that were.
   */
  hide(since: number, delayMs: number, isMeant: (trackNo: string) => boolean): number;
  /** Puts everything back whose time has come. To be called before the account is looked at. */
  surface(): void;
}

interface Hidden {
  readonly registration: Registration;
  readonly until: EpochMs;
}

/** Nothing is hidden yet. */
export function createSlowIndex(account: Account, clock: Clock): SlowIndex {
  let hidden: readonly Hidden[] = [];
  const isSame = (a: Registration, b: Registration): boolean =>
    a.trackNo.toUpperCase() === b.trackNo.toUpperCase() && a.courier.code === b.courier.code;
  return {
    get registered() {
      return account.added;
    },
    hide: (since, delayMs, isMeant) => {
      const fresh = account.all().filter(({ sequence, trackNo }) => sequence >= since && isMeant(trackNo));
      for (const registration of fresh) {
        account.remove(registration);
        // Registered again while it waits, a number waits no longer for that.
        if (hidden.some((one) => isSame(one.registration, registration))) continue;
        hidden = [...hidden, { registration, until: registration.registeredAt + delayMs }];
      }
      return fresh.length;
    },
    surface: () => {
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
