import { createFilter } from '../../../src/board/filter.ts';
import { type ArrangeInput, type Arrangement, arrangeAll, filtered } from '../../../src/board/list/arrange.ts';
import type { Viewing } from '../../../src/board/status/status-now.ts';

/** Parcels, and a filter. Defaults to no filter. */
interface Arranged extends ArrangeInput, Viewing {
  readonly filter: string;
}

/** Parcels as the board arranges and filters them. */
export function arrange({ filter, usual, ...input }: Arranged): Arrangement {
  const viewing = { now: input.now, zone: input.zone, ...(usual === undefined ? {} : { usual }) };
  return filtered(arrangeAll(input), createFilter(filter, viewing));
}
