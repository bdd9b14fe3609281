import type { Random } from '../../src/lib/clock.ts';
import { pickWeighted } from '../../src/sandbox/seeded-random.ts';
import type { CallLog } from './calls.ts';
import type { Ledger } from './ledger.ts';
import type { ScenarioResult } from './measure.ts';

type ViolationKind = 'lost' | 'doubled' | 'damaged' | 'broken';

/** Counts of actions. */
type ActionName =
  | 'boards_started'
  | 'commands_run'
  | 'commands_killed'
  | 'watches_started'
  | 'keys_sent'
  | 'adds_acknowledged'
  | 'removals_acknowledged'
  | 'labels_acknowledged'
  | 'log_lines_printed'
  | 'faults_switched'
  | 'store_looks';

/** Counts actions, and reports violations. */
export class Tally {
  readonly #counts = new Map<ActionName | ViolationKind, number>();
  readonly #reported = new Set<string>();
  readonly #report: (line: string) => void;

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  count(name: ActionName | ViolationKind, by = 1): void {
    this.#counts.set(name, this.of(name) + by);
  }

  /** Reports a violation, unless the same message was reported before. */
  fail(kind: ViolationKind, message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.count(kind);
    this.#report(`${new Date().toISOString()} ${kind}: ${message}`);
  }

  of(name: ActionName | ViolationKind): number {
    return this.#counts.get(name) ?? 0;
  }

  measure(measure: string): ScenarioResult {
    return { measure, lost: 0, doubled: 0, damaged: 0, broken: 0, ...Object.fromEntries(this.#counts) };
  }
}

/** Everything that the random actors share. */
export interface World {
  readonly cli: string;
  readonly ledger: Ledger;
  readonly log: CallLog;
  readonly tally: Tally;
  /** How long a person approximately pauses between two actions, in milliseconds. */
  readonly paceMs: number;
  isOver(): boolean;
  /** The environment of a process. `who` identifies it for the gate. */
  environment(who: string): Readonly<Record<string, string>>;
  freshNumber(): string;
  /** A label that was never used before. */
  freshLabel(): string;
  /** Compares the store with the ledger. */
  checkStore(): Promise<void>;
}

/** The typical number of parcels on a watchlist. Random actions keep the list near it. */
export const typicalParcelCount = 40;

/** Errors with which a command may exit with 1 during faults: the service rejected an operation, or sent too much. */
export const serviceErrorPattern = /The service .* "[^"]+" at \/tk\/|The response from .* was too large/;

/** Returns output that only a broken program prints, or null. */
export function findCrash(text: string): string | null {
  const crash =
    /This is a bug|\b\w*Error\b|Unhandled|Maximum update depth|\[object Object\]|\bNaN\b|\bundefined\b|\(\S+:\d+:\d+\)/;
  return crash.exec(text)?.[0] ?? null;
}

/** Returns 1 to `most` of the items, without duplicates. */
export function sample<Item>(random: Random, items: readonly Item[], most: number): readonly Item[] {
  const left = [...items];
  const taken: Item[] = [];
  const count = 1 + Math.floor(random() * most);
  while (taken.length < count && left.length > 0) taken.push(...left.splice(Math.floor(random() * left.length), 1));
  return taken;
}

/** Returns a random name, by weight. */
export function pickByWeight<Name extends string>(random: Random, weights: Readonly<Record<Name, number>>): Name {
  const items = Object.entries<number>(weights).map(([name, weight]) => ({ name: name as Name, weight }));
  return pickWeighted(random, items).name;
}
