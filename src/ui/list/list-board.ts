import type { Arrangement } from '../../board/list/arrange.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Change } from '../change.ts';
import type { FocusState } from '../focus/state.ts';
import type { FooterState } from '../footer/state.ts';
import type { Selected } from '../keys/binding.ts';
import type { Scrolled } from '../keys/movement.ts';
import type { TimelineState } from '../timeline/state.ts';
import type { CollapseState } from './collapse.ts';
import type { Marks, MarksState } from './marks.ts';
import type { ListState, Selection, ShownList } from './state.ts';

/** The board, as far as the keys of the list and of its marks need it. */
export interface ListBoard extends Scrolled, Selected {
  readonly arrangement: Arrangement;
  readonly change: Change<ListState & CollapseState & MarksState & FocusState & FooterState & TimelineState>;
  readonly listed: ShownList;
  readonly marks: Marks;
  readonly selection: Selection;
  readonly state: { readonly parcels: readonly Parcel[] };
  readonly ui: ListState & CollapseState;
}
