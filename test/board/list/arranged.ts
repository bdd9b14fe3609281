import { createFilter } from '../../../src/board/filter.ts';
import { type ArrangeInput, type Arrangement, arrangeAll, filterArrangement } from '../../../src/board/list/arrange.ts';
import type { Viewing } from '../../../src/board/status/status-now.ts';

/** Parcels to arrange, and a filter. */
interface FilteredInput extends ArrangeInput, Viewing {
  readonly filter: string;
}

/** Arranges and filters parcels the way the board does. */
export function arrange({ filter, usual, ...input }: FilteredInput): Arrangement {
  const viewing = { now: input.now, zone: input.zone, ...(usual === undefined ? {} : { usual }) };
  return filterArrangement(arrangeAll(input), createFilter(filter, viewing));
}
