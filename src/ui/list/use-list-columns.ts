import { useMemo, useRef } from 'react';
import { sameNeeds } from '../../board/list/column-needs.ts';
import { type ListColumns, listColumns } from '../../board/list/list-columns.ts';
import type { Board } from '../board.ts';

/**
 * The columns of the list. They stay the same object while nothing about them changes, so that rows are not drawn again; and
 * they stay where they are while a filter is typed, since they fit what is listed without it.
 */
export function useListColumns(board: Pick<Board, 'needs'>, width: number): ListColumns {
  const measured = board.needs();
  const kept = useRef(measured);
  if (!sameNeeds(kept.current, measured)) kept.current = measured;
  const needs = kept.current;
  return useMemo(() => listColumns(width, needs), [width, needs]);
}
