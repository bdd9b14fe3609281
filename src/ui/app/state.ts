import { type AddState, freshAdd } from '../add/state.ts';
import { type FieldState, freshFields } from '../field/state.ts';
import type { FocusState } from '../focus/state.ts';
import { type FooterState, freshFooter } from '../footer/state.ts';
import { freshHelp, type HelpState } from '../help/state.ts';
import type { KeyContext } from '../keys/context.ts';
import { type CollapseState, freshGroups } from '../list/collapse.ts';
import { type MarksState, noMarks } from '../list/marks.ts';
import { freshList, type ListState } from '../list/state.ts';
import { type NewsState, unopenedNews } from '../news/state.ts';
import { closedOrder, type OrderState } from '../order/state.ts';
import type { OverlayState } from '../overlay/state.ts';
import { noPicker, type PickerState } from '../picker/state.ts';
import { noPrompt, type PromptState } from '../prompt/state.ts';
import { noScan, type ScanState } from '../scan/state.ts';
import { notSettingUp, type SetupState } from '../setup/state.ts';
import { fieldOf } from '../setup/step.ts';
import type { TimelineState } from '../timeline/state.ts';
import type { ZoomState } from '../zoom/state.ts';

/** All that belongs to the screen alone, each part defined in the folder of its pane: focus, selection, scroll, drafts. */
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

/** The board as it opens. */
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

/** The context in which keys are looked up. */
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
