/** What two programs that were measured in turn come to. */
export interface Comparison {
  /** Median of ours divided by the median of the bare one. */
  readonly ratio: number;
  /** Quartiles of the ratios of the single pairs: half of them lie in between. */
  readonly spread: readonly [lower: number, upper: number];
  /** Medians in milliseconds. */
  readonly ours: number;
  readonly bare: number;
  readonly runs: number;
}

/** Takes one sample, in milliseconds. */
export type Sample = () => Promise<number>;

/**
 * Measures two programs in turn, so that whatever else the machine does hits both alike. One pair before them all is
 * thrown away: it warms the file caches.
 */
export async function compare(runs: number, ours: Sample, bare: Sample): Promise<Comparison> {
  const pairs: { readonly ours: number; readonly bare: number }[] = [];
  for (let run = -1; run < runs; run += 1) {
    // Who goes first changes, because the second finds the machine as the first left it.
    const first = run % 2 === 0 ? await ours() : await bare();
    const second = run % 2 === 0 ? await bare() : await ours();
    const pair = run % 2 === 0 ? { ours: first, bare: second } : { ours: second, bare: first };
    if (run >= 0) pairs.push(pair);
  }
  const oursMedian = median(pairs.map((pair) => pair.ours));
  const bareMedian = median(pairs.map((pair) => pair.bare));
  const ratios = pairs.map((pair) => pair.ours / pair.bare);
  return {
    ratio: round(oursMedian / bareMedian, 2),
    spread: quartiles(ratios, 2),
    ours: round(oursMedian),
    bare: round(bareMedian),
    runs,
  };
}

/** The middle of some values, between two where need be. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Between these two lies the middle half of the values. */
export function quartiles(values: readonly number[], digits = 1): readonly [lower: number, upper: number] {
  return [round(quantile(values, 0.25), digits), round(quantile(values, 0.75), digits)];
}

/** Rounds for people. */
export function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new RangeError('There is nothing to measure by.');
  return below + (above - below) * (position - Math.floor(position));
}
