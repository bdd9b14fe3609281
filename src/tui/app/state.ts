import type { StageCounts } from '../../board/header-parts.ts';
import type { PauseReason } from '../../board/header-problem.ts';
import type { Arrangement } from '../../board/list/arrange.ts';
import type { ColumnNeeds } from '../../board/list/list-columns.ts';
import type { HeadingRow, ListWindow } from '../../board/list/list-rows.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import type { EpochMs } from '../../lib/clock.ts';
import type { Line } from '../../lib/paint.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { ApplyAdditions } from '../../polling/apply-additions.ts';
import type { MonitorState } from '../../polling/state.ts';
import type { Courier } from '../../service/record.ts';
import type { PollingState } from '../../store/polling-state.ts';
import { type AddState, freshAdd } from '../add/state.ts';
import { type FieldState, freshFields, type LineCommand } from '../field/line-editor.ts';
import { type FooterState, freshFooter } from '../footer/messages.ts';
import { freshHelp, type HelpState, type OverlayState, type ShownOverlay } from '../help/keys.ts';
import type { Change, KeyContext } from '../keys/binding.ts';
import type { FocusState, Layout } from '../layout.ts';
import { type Marks, type MarksState, noMarks } from '../list/marks.ts';
import {
  type CollapseState,
  freshGroups,
  freshList,
  type ListState,
  type Selection,
  type ShownList,
} from '../list/state.ts';
import type { News } from '../news/news.tsx';
import { type NewsState, unopenedNews } from '../news/state.ts';
import { closedOrder, type OrderState } from '../order.ts';
import type { Scroll } from '../pane/frame.ts';
import { type LoadedCouriers, noPicker, type PickerState } from '../picker/couriers.ts';
import { noPrompt, type PromptState } from '../prompt/prompt.ts';
import { noScan, type ScanState, type ShownScan } from '../scan/state.ts';
import type { BoardServices } from '../services.ts';
import { notSettingUp, type SetupState } from '../setup/state.ts';
import { fieldOf } from '../setup/steps.ts';
import type { CopyText } from '../terminal/clipboard.ts';
import type { TimelineState, ZoomState } from '../timeline/keys.ts';
import type { TimelineInSight } from '../timeline/timeline.tsx';

export interface UiState
  extends ListState,
    MarksState,
    CollapseState,
    OrderState,
    TimelineState,
    AddState,
    FieldState,
    PromptState,
    PickerState,
    OverlayState,
    HelpState,
    ZoomState,
    NewsState,
    ScanState,
    SetupState,
    FooterState,
    FocusState {}

export const initialUiState: UiState = {
  focus: 'list',
  overlay: null,
  overlayOffset: 0,
  ...freshHelp,
  helpCovers: null,
  ...noPicker,
  ...noPrompt,
  ...freshList,
  ...noMarks,
  ...freshGroups,
  ...closedOrder,
  timelineOffset: 0,
  ...freshAdd,
  ...freshFields,
  timeMode: 'event',
  zoom: null,
  ...unopenedNews,
  ...noScan,
  ...notSettingUp,
  ...freshFooter,
};

export function keyContextOf(ui: UiState): KeyContext {
  const { focus, overlay, picker, prompt, settingUp, sortingBefore } = ui;
  // What is asked about a found number stands over the list of them.
  const isAsked = overlay === 'scan' && (picker !== null || prompt !== null);
  if (overlay !== null && !isAsked) return overlay;
  if (picker !== null) return 'picker';
  if (prompt !== null) return prompt.edit === null ? 'confirm' : 'prompt';
  if (settingUp !== null && !(settingUp.step === 'numbers' && focus === 'add')) {
    return fieldOf(settingUp) === null ? 'setup' : 'setup-field';
  }
  return sortingBefore === null ? focus : 'order';
}

export interface Board extends Omit<BoardServices, 'applyAdditions' | 'news'> {
  readonly applyAdditions: ApplyAdditions;
  /** The core's newest snapshot. */
  readonly state: MonitorState;
  readonly ui: UiState;
  readonly change: Change<UiState>;
  /** Edits the line of the focused field; without one nothing happens. */
  readonly editLine: (command: LineCommand) => void;
  readonly quit: (reason?: 'quit' | 'interrupted') => void;
  readonly redraw: () => void;
  readonly copyText: CopyText;
  readonly isSilent: boolean;
  readonly now: EpochMs;
  /** Cells of the terminal. */
  readonly columns: number;
  readonly rows: number;
  readonly layout: Layout;
  readonly polling: PollingState;
  /** Why nothing is checked by itself; null while it is. */
  readonly pause: PauseReason | null;
  readonly banner: readonly Line[];
  readonly counted: StageCounts;
  readonly arrangement: Arrangement;
  readonly needs: () => ColumnNeeds;
  /** When and where texts are read, and for how long parcels usually stand still; the same object until one of them changes. */
  readonly viewing: Required<Viewing>;
  /** All rows of the list, in sight or not. */
  readonly listed: ShownList;
  readonly selection: Selection;
  readonly selected: Parcel | null;
  readonly marks: Marks;
  /** The selected heading; null when none is. */
  readonly heading: HeadingRow | null;
  readonly list: ListWindow;
  readonly timeline: TimelineInSight;
  /** A text in place of the panes: help, details, or how to set up; null when there is none. */
  readonly overlay: ShownOverlay | null;
  readonly news: News;
  readonly courierList: LoadedCouriers;
  /** The numbers that were found in a text; null while they are not shown. */
  readonly scan: ShownScan | null;
  readonly matches: readonly Courier[];
  readonly scroll: Scroll;
}
