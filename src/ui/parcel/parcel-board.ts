import type { MonitorState } from '../../polling/core/state.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { AddState } from '../add/state.ts';
import type { Change } from '../change.ts';
import type { FooterState } from '../footer/state.ts';
import type { MarksState } from '../list/marks.ts';
import type { ListState, SelectionState } from '../list/state.ts';
import type { TargetBoard } from '../list/targets.ts';
import type { LoadedCouriers } from '../picker/couriers.ts';
import type { PickerState } from '../picker/state.ts';
import type { PromptState } from '../prompt/state.ts';
import type { BoardServices } from '../services.ts';

/** What keys change that act on parcels. */
export type ParcelUi = AddState & FooterState & MarksState & PickerState & PromptState & SelectionState;

/** The board, as far as the keys need it that act on parcels. */
export interface ParcelBoard
  extends TargetBoard,
    Pick<BoardServices, 'account' | 'clock' | 'couriers' | 'monitor' | 'openPage' | 'setup' | 'zone'> {
  readonly change: Change<ParcelUi>;
  readonly state: MonitorState;
  /** The instant that texts are written for. */
  readonly now: EpochMs;
  readonly ui: Pick<ListState, 'listed'>;
  readonly courierList: LoadedCouriers;
}
