/** The median of many samples, and their quartiles. */
export interface Spread {
  readonly median: number;
  /** Quartiles: half of the samples are between them. */
  readonly lower: number;
  readonly upper: number;
  readonly samples: number;
}

/** Two programs that were measured alternately. */
export interface Comparison {
  /** Our value as a multiple of the other program's, computed from the ratio of each pair. */
  readonly ratio: Spread;
  /** Medians, in the unit of the samples. */
  readonly ours: number;
  readonly other: number;
}

/** Summarises samples. Throws a `RangeError` if there aren't any. */
export function spreadOf(samples: readonly number[]): Spread {
  return {
    median: quantile(samples, 0.5),
    lower: quantile(samples, 0.25),
    upper: quantile(samples, 0.75),
    samples: samples.length,
  };
}

/**
 * Compares samples that were taken alternately: each of ours with the other one from the same round, because other work
 * on the machine affected both. Throws a `RangeError` if there are no samples, or not equally many.
 */
export function compare(ours: readonly number[], others: readonly number[]): Comparison {
  if (ours.length !== others.length) throw new RangeError('The programs were not measured alternately.');
  const ratios = ours.map((sample, round) => sample / (others[round] ?? Number.NaN));
  return { ratio: spreadOf(ratios), ours: quantile(ours, 0.5), other: quantile(others, 0.5) };
}

/** Returns the quantile of the samples, interpolated if necessary. Throws a `RangeError` if there aren't any. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new RangeError('There are no samples.');
  return below + (above - below) * (position - Math.floor(position));
}

/** How often to measure. */
export interface Rounds {
  /** Rounds that count. */
  readonly rounds: number;
  /** Warm-up rounds before them, which do not count. */
  readonly warmUps: number;
  /** Whether rough figures are enough. */
  readonly isQuick: boolean;
}

/**
 * Measures programs alternately, so that other work on the machine affects all of them. Each round starts with a
 * different program, because every run affects the next one. Returns each program's results, round by round.
 */
export async function measureAlternately<Name extends string, Result>(
  { rounds, warmUps }: Pick<Rounds, 'rounds' | 'warmUps'>,
  samples: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Readonly<Record<Name, readonly Result[]>>> {
  const names = Object.keys(samples) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let round = -warmUps; round < rounds; round += 1) {
    const first = (round + warmUps) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const result = await samples[name]();
      if (round >= 0) results[name].push(result);
    }
  }
  return results;
}
