import { useMemo, useRef } from 'react';
import { headingRows } from '../../board/list/column-headings.ts';
import { columnNeeds, sameNeeds } from '../../board/list/column-needs.ts';
import { type ListColumns, listColumns } from '../../board/list/list-columns.ts';
import type { Board } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import { innerSize } from '../pane/frame.ts';

/**
 * The columns of the list. They stay the same object while nothing about them changes, so that rows are not drawn again; and
 * they stay where they are while a filter is typed, since they fit what is listed without it.
 */
export function useListColumns({ arrangement, now, usual, zone }: Board, width: number): ListColumns {
  const { grouping, unfiltered } = arrangement;
  const hasStageHeadings = grouping === 'stage';
  const measured = useMemo(
    () => columnNeeds(unfiltered, { now, usual, zone, hasStageHeadings }),
    [unfiltered, now, usual, zone, hasStageHeadings],
  );
  const kept = useRef(measured);
  if (!sameNeeds(kept.current, measured)) kept.current = measured;
  const needs = kept.current;
  return useMemo(() => listColumns(width, needs), [width, needs]);
}

/** Rows of the list pane that are for parcels and groups. */
export function listHeight(size: PaneSize): number {
  const { height } = innerSize(size);
  return height - headingRows(height);
}
