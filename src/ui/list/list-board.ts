import type { Arrangement } from '../../board/list/arrange.ts';
import type { Change } from '../change.ts';
import type { FocusState } from '../focus/state.ts';
import type { FooterState } from '../footer/state.ts';
import type { Scrolled } from '../keys/movement.ts';
import type { TimelineState } from '../timeline/state.ts';
import type { CollapseState } from './collapse.ts';
import type { MarksState } from './marks.ts';
import type { ListState, Selection, ShownList } from './state.ts';
import type { TargetBoard } from './targets.ts';

/** The board, as far as the keys of the list and of its marks need it. */
export interface ListBoard extends Scrolled, TargetBoard {
  readonly arrangement: Arrangement;
  readonly change: Change<ListState & CollapseState & MarksState & FocusState & FooterState & TimelineState>;
  readonly listed: ShownList;
  readonly selection: Selection;
  readonly ui: ListState & CollapseState;
}
