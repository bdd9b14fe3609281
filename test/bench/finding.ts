import type { Comparison, Spread } from './figures.ts';

/** What a figure counts; `times` is a ratio to something else that was measured in turn. */
export type Unit = 'times' | 'ms' | 's' | 'bytes' | 'kB' | 'MB' | '% of a core' | 'rows';

/** One line of the table. Nothing is asserted: a slow machine is no fault of the program's. */
export interface Finding {
  /** The part of the table to which it belongs. */
  readonly group: string;
  readonly name: string;
  /** What it was measured beside, in turn; null for a figure of its own. */
  readonly beside: string | null;
  readonly unit: Unit;
  /** At most this; null where nobody has said how much it may be. */
  readonly aim: number | null;
  /** Null where it could not be measured; `note` says why then. */
  readonly measured: Spread | null;
  /** Medians of ours and of what it was measured beside, each in `pairUnit`; null for a figure of its own. */
  readonly pair: {
    readonly ours: number;
    readonly other: number;
    readonly unit: 'ms' | 'bytes' | '% of a core';
  } | null;
  /** What else has to be said. */
  readonly note: string | null;
}

/** Whether an aim is met; `close` when the middle half of the samples lies on both sides of it. */
export type Verdict = 'met' | 'met, close' | 'missed, close' | 'missed' | 'no aim' | 'not measured';

/** What to know of a finding to write it down. */
interface About {
  readonly group: string;
  readonly name: string;
  readonly aim?: number;
  readonly note?: string;
}

/** Judges a finding by its median. */
export function verdictOf({ aim, measured }: Pick<Finding, 'aim' | 'measured'>): Verdict {
  if (measured === null) return 'not measured';
  if (aim === null) return 'no aim';
  if (measured.median <= aim) return measured.upper > aim ? 'met, close' : 'met';
  return measured.lower <= aim ? 'missed, close' : 'missed';
}

/** A ratio of two programs. */
export function besideFinding(
  { group, name, aim, note }: About,
  beside: string,
  { ratio, ours, other }: Comparison,
  unit: 'ms' | 'bytes' | '% of a core' = 'ms',
): Finding {
  return {
    group,
    name,
    beside,
    unit: 'times',
    aim: aim ?? null,
    measured: ratio,
    pair: { ours, other, unit },
    note: note ?? null,
  };
}

/** A figure of its own. */
export function plainFinding({ group, name, aim, note }: About, unit: Unit, measured: Spread): Finding {
  return { group, name, beside: null, unit, aim: aim ?? null, measured, pair: null, note: note ?? null };
}

/** Something that could not be measured, or that takes too long for every day: the note says why. */
export function missingFinding({ group, name, aim, note }: About & { readonly note: string }, unit: Unit): Finding {
  return { group, name, beside: null, unit, aim: aim ?? null, measured: null, pair: null, note };
}
