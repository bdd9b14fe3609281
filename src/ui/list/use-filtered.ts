import { useEffect, useMemo, useReducer, useState } from 'react';
import { type Arrangement, filtered, filteredInTurns } from '../../board/list/arrange.ts';
import type { Sorting } from '../../board/list/sort-orders.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { ListedParcels } from '../../watchlist/state/view-memory.ts';

/** To look through more at once takes longer than a frame. */
const mostWithinFrame = 10_000;

/** What is to be filtered, and how. */
export interface FilterSource {
  readonly all: Arrangement;
  /** Its text; empty for none. */
  readonly filter: string;
  readonly passes: (parcel: Parcel) => boolean;
  /** How it is listed: in another view and another order, the list before would be a wrong one. */
  readonly view: ListedParcels;
  readonly sorting: Sorting;
}

/** A list, and what it is the list of. */
interface FilteredList {
  readonly source: FilterSource;
  readonly arrangement: Arrangement;
}

/**
 * What a filter leaves of a list. Of a long one it is looked for in turns, between the keys: until then the list is the one
 * before, while a filter is typed, or while only its parcels are others.
 * @param source the same object for as long as nothing of it changes
 */
export function useFiltered(source: FilterSource, isTyped: boolean): FilteredList {
  const [kept] = useState((): { shown: FilteredList | null } => ({ shown: null }));
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const isKnown = kept.shown?.source === source;
  const mayWait = !isKnown && source.all.unfiltered.length > mostWithinFrame && mayFollow(source, kept.shown, isTyped);
  const atOnce = useMemo(
    () => (source.filter === '' ? source.all : isKnown || mayWait ? null : filtered(source.all, source.passes)),
    [source, isKnown, mayWait],
  );
  if (atOnce !== null) kept.shown = { source, arrangement: atOnce };
  useEffect(() => {
    if (kept.shown?.source === source) return;
    const turns = filteredInTurns(source.all, source.passes);
    let next: NodeJS.Immediate;
    const goOn = (): void => {
      // Its field was left meanwhile.
      if (kept.shown?.source === source) return;
      const turn = turns.next();
      if (turn.done !== true) {
        next = setImmediate(goOn);
        return;
      }
      kept.shown = { source, arrangement: turn.value };
      drawAgain();
    };
    next = setImmediate(goOn);
    return () => clearImmediate(next);
  }, [kept, source]);
  return kept.shown ?? { source, arrangement: source.all };
}

function mayFollow({ filter, sorting, view }: FilterSource, shown: FilteredList | null, isTyped: boolean): boolean {
  if (filter === '' || shown === null || shown.source.view !== view || shown.source.sorting !== sorting) return false;
  return isTyped || shown.source.filter === filter;
}
