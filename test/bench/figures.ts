/** The middle of many samples, and where the middle half of them lies. */
export interface Spread {
  readonly median: number;
  /** Quartiles: half of the samples lie in between. */
  readonly lower: number;
  readonly upper: number;
  readonly samples: number;
}

/** Two programs that were measured in turn. */
export interface Comparison {
  /** Of the ratios of the single pairs: how many times the other one's ours is. */
  readonly ratio: Spread;
  /** Medians, in whatever was measured. */
  readonly ours: number;
  readonly other: number;
}

/** What lies between the quartiles may be so large a part of the median before the machine counts as busy. */
const calmSpread = 0.15;

/** Sums up samples. Throws a `RangeError` when there are none. */
export function spreadOf(samples: readonly number[]): Spread {
  return {
    median: quantile(samples, 0.5),
    lower: quantile(samples, 0.25),
    upper: quantile(samples, 0.75),
    samples: samples.length,
  };
}

/**
 * Compares samples that were taken in turn: each of ours with the other one of the same round, so that whatever else the
 * machine did then has hit both. Throws a `RangeError` when there are none, or not as many of each.
 */
export function compare(ours: readonly number[], others: readonly number[]): Comparison {
  if (ours.length !== others.length) throw new RangeError('The programs were not measured in turn.');
  const ratios = ours.map((sample, round) => sample / (others[round] ?? Number.NaN));
  return { ratio: spreadOf(ratios), ours: quantile(ours, 0.5), other: quantile(others, 0.5) };
}

/**
 * The value below which a share of the samples lies, between two of them where need be. Throws a `RangeError` when there
 * are none.
 */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new RangeError('There is nothing to measure by.');
  return below + (above - below) * (position - Math.floor(position));
}

/** Whether the machine had other things to do while a bare program was measured, which always does the same. */
export function wasBusy({ lower, median, upper }: Spread): boolean {
  return upper - lower > median * calmSpread;
}
