/** Measures one program once. */
export type Sample<Result> = () => Promise<Result>;

/** How often to measure. */
export interface Rounds {
  /** Rounds that count. */
  readonly rounds: number;
  /** Rounds before them, which warm what a user's second start finds warm, and do not count. */
  readonly warmUps: number;
}

/**
 * Measures programs in turn, so that whatever else the machine does hits all alike. Who goes first changes from round to
 * round, because each finds the machine as the one before has left it. Answers the results of each, round by round.
 */
export async function measureInTurn<Name extends string, Result>(
  { rounds, warmUps }: Rounds,
  samples: Readonly<Record<Name, Sample<Result>>>,
): Promise<Readonly<Record<Name, readonly Result[]>>> {
  const names = Object.keys(samples) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const name of startingWith(names, round + warmUps)) {
      const result = await samples[name]();
      if (round >= 0) results[name].push(result);
    }
  }
  return results;
}

function startingWith<Item>(items: readonly Item[], index: number): readonly Item[] {
  const first = index % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
