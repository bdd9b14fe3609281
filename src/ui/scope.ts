import type { Courier } from '../service/record/record.ts';
import type { Parcel } from '../watchlist/model/parcel.ts';
import type { ActionScope } from './action-scope.ts';
import type { Selection } from './list/selection.ts';
import type { LoadedCouriers } from './picker/use-couriers.ts';

/** All that a key press may need to know of the board as it is drawn. */
export interface BoardScope extends ActionScope {
  /** Ids of the listed parcels, top to bottom. */
  readonly order: readonly string[];
  readonly selection: Selection;
  readonly selected: Parcel | null;
  /** Whether there is a service to ask. */
  readonly canAsk: boolean;
  readonly couriers: LoadedCouriers;
  /** Couriers that the picker lists now. */
  readonly matches: readonly Courier[];
  /** Rows of the pane that moves. */
  readonly pageRows: number;
  /** Whether a text stands in place of the panes: help, details, or how to set up. */
  readonly isOverBody: boolean;
  /** Offset of the timeline, or of the open overlay, in force. */
  readonly scrollOffset: number;
  readonly scrollLast: number;
  readonly quit: () => void;
  readonly redraw: () => void;
}
