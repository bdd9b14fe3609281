import type { ReactNode } from 'react';
import type { Layout, PaneSize } from '../layout.ts';
import { ParcelList } from '../list/parcel-list.tsx';
import { Pane } from '../pane/pane.tsx';
import { timelinePane } from '../timeline/timeline-pane.ts';
import type { Board } from './board.ts';

/** A layout with room for a board. */
export type Divided = Exclude<Layout, { kind: 'too-small' }>;

interface MainPanesProps {
  readonly board: Board;
  readonly layout: Divided;
  /** What stands in place of the timeline; null where that does. */
  readonly inPlace: ((size: PaneSize) => ReactNode) | null;
}

/** List and timeline: one of them, or both from left to right, or from top to bottom. */
export function MainPanes({ board, layout, inPlace }: MainPanesProps) {
  const isSingle = layout.kind === 'single';
  const isListShown = !isSingle || (layout.pane === 'list' && inPlace === null);
  return (
    <>
      {isListShown ? list(board, layout.list) : null}
      {isSingle && isListShown
        ? null
        : (inPlace?.(layout.timeline) ?? <Pane {...timelinePane(board, layout.timeline)} />)}
    </>
  );
}

function list(board: Board, size: PaneSize) {
  const { arrangement, list: window, marks, needs, pause, selection, setup, state, ui, viewing } = board;
  return (
    <ParcelList
      size={size}
      isFocused={ui.focus === 'list' || ui.focus === 'filter'}
      ui={ui}
      arrangement={arrangement}
      rows={window.rows}
      needs={needs}
      selection={selection}
      marks={marks}
      viewing={viewing}
      checking={state.checking}
      pause={pause}
      shownProblem={state.polling.problem?.message ?? null}
      isSetUp={setup.kind === 'ready'}
    />
  );
}
