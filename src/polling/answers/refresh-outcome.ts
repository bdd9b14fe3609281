import type { RefreshOutcome } from '../core/state.ts';

/** What checking no parcel brings. */
export const nothingChecked: RefreshOutcome = { answered: [], changed: [], rejected: [] };

/** Several outcomes as one. */
export function together(outcomes: readonly RefreshOutcome[]): RefreshOutcome {
  const all = (pick: (outcome: RefreshOutcome) => readonly string[]): readonly string[] => [
    ...new Set(outcomes.flatMap(pick)),
  ];
  return {
    answered: all(({ answered }) => answered),
    changed: all(({ changed }) => changed),
    rejected: all(({ rejected }) => rejected),
  };
}
