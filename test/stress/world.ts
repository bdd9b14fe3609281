import type { Random } from '../../src/lib/clock.ts';
import { pickWeighted } from '../../src/sandbox/seeded-random.ts';
import type { CallLog } from './calls.ts';
import type { Ledger } from './ledger.ts';
import type { Measure } from './measure.ts';

type Wrong = 'lost' | 'doubled' | 'damaged' | 'broken';

/** Counts of actions. */
type Done =
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
  readonly #counts = new Map<Done | Wrong, number>();
  readonly #told = new Set<string>();
  readonly #tell: (line: string) => void;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  count(name: Done | Wrong, by = 1): void {
    this.#counts.set(name, this.of(name) + by);
  }

  /** Violations. The same words count once. */
  fail(wrong: Wrong, words: string): void {
    if (this.#told.has(words)) return;
    this.#told.add(words);
    this.count(wrong);
    this.#tell(`${new Date().toISOString()} ${wrong}: ${words}`);
  }

  of(name: Done | Wrong): number {
    return this.#counts.get(name) ?? 0;
  }

  measure(measure: string): Measure {
    return { measure, lost: 0, doubled: 0, damaged: 0, broken: 0, ...Object.fromEntries(this.#counts) };
  }
}

/** What all random actors share. */
export interface World {
  readonly cli: string;
  readonly ledger: Ledger;
  readonly log: CallLog;
  readonly tally: Tally;
  /** The approximate pause of a person between two actions, in milliseconds. */
  readonly paceMs: number;
  isOver(): boolean;
  /** The environment of a process. `who` identifies it for the gate. */
  environment(who: string): Readonly<Record<string, string>>;
  freshNumber(): string;
  /** A label that was never used before. */
  freshLabel(): string;
  /** Compares the store with the ledger. */
  lookAtStore(): Promise<void>;
}

/** The typical number of parcels on a watchlist. Random actions keep the list near it. */
export const usualParcels = 40;

/** Why a command may end with 1 while the service is broken: it rejected an operation, or sent too much. */
export const spoiltService = /The service .* "[^"]+" at \/tk\/|The response from .* was too large/;

/** Output that only a broken program prints, or null. */
export function crashText(text: string): string | null {
  const crash =
    /This is a bug|\b\w*Error\b|Unhandled|Maximum update depth|\[object Object\]|\bNaN\b|\bundefined\b|\(\S+:\d+:\d+\)/;
  return crash.exec(text)?.[0] ?? null;
}

/** Some of the items, without duplicates. */
export function someOf<Item>(random: Random, items: readonly Item[], most: number): readonly Item[] {
  const left = [...items];
  const taken: Item[] = [];
  const count = 1 + Math.floor(random() * most);
  while (taken.length < count && left.length > 0) taken.push(...left.splice(Math.floor(random() * left.length), 1));
  return taken;
}

/** A random item, by weight. */
export function weighted<Name extends string>(random: Random, weights: Readonly<Record<Name, number>>): Name {
  const items = Object.entries<number>(weights).map(([name, weight]) => ({ name: name as Name, weight }));
  return pickWeighted(random, items).name;
}
