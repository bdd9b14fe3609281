import { collapsedAtFirst } from '../board/list/groups.ts';
import { urgentFirst } from '../board/list/sort-orders.ts';
import type { AddState } from './add/state.ts';
import { type FieldState, freshFields } from './field/state.ts';
import { emptyEdit, type TextEdit } from './field/text-edit.ts';
import type { FooterState } from './footer/state.ts';
import { freshHelp, type HelpState } from './help/state.ts';
import type { KeyContext } from './keys/context.ts';
import type { MainPane } from './layout.ts';
import type { CollapseState } from './list/collapse.ts';
import { type ListState, type Selection, withRow } from './list/state.ts';
import { type MarksState, noMarks } from './marks/state.ts';
import { type NewsState, unopenedNews } from './news/state.ts';
import type { OrderState } from './order/state.ts';
import type { OverlayState } from './overlay/state.ts';
import type { PickerState } from './picker/state.ts';
import type { PromptState } from './prompt/state.ts';
import { sameFields } from './same-fields.ts';
import { noScan, type ScanState } from './scan/state.ts';
import type { SetupState } from './setup/state.ts';
import { fieldOf } from './setup/typed-field.ts';
import type { TimelineState } from './timeline/state.ts';
import type { ZoomState } from './zoom/state.ts';

/** Panes that can have the focus, in the order of Tab. */
export const panes = ['list', 'timeline', 'add'] as const;
export type Pane = (typeof panes)[number];

/** All that belongs to the screen alone, each part defined beside its pane: focus, selection, scroll, drafts. */
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
    FooterState {
  readonly focus: Pane | 'filter';
  readonly filter: TextEdit;
}

/** A change of the state: the fields that change, or what they change to, from the newest state. */
export type UiChange = Partial<UiState> | ((state: UiState) => Partial<UiState>);

/** The board as it opens. */
export const initialUiState: UiState = {
  focus: 'list',
  overlay: null,
  overlayOffset: 0,
  ...freshHelp,
  helpCovers: null,
  picker: null,
  prompt: null,
  selectedId: null,
  selectedGroup: null,
  selectedIndex: 0,
  ...noMarks,
  revealedId: null,
  listed: 'watched',
  collapsed: collapsedAtFirst,
  collapsedInFilter: null,
  sorting: urgentFirst,
  sortingBefore: null,
  timelineOffset: 0,
  filter: emptyEdit,
  draft: emptyEdit,
  ...freshFields,
  lookup: null,
  doubted: [],
  entered: [],
  forgotten: [],
  recall: null,
  timeMode: 'event',
  zoom: null,
  ...unopenedNews,
  ...noScan,
  settingUp: null,
  message: null,
};

/** The one reducer of the screen; a change to what is already there keeps the state as it is. */
export function applyChange(state: UiState, change: UiChange): UiState {
  const changed = typeof change === 'function' ? change(state) : change;
  return sameFields(changed, state) ? state : { ...state, ...changed };
}

/** Another selection: the timeline of another parcel begins at its top. */
export function withSelection({ selectedId, timelineOffset }: UiState, selection: Selection): Partial<UiState> {
  const row = withRow(selection);
  return { ...row, revealedId: null, timelineOffset: row.selectedId === selectedId ? timelineOffset : 0 };
}

/** Goes to a parcel, which is to be seen wherever it stands in the list. */
export function withSelected(
  { selectedId, timelineOffset }: ListState & TimelineState,
  parcelId: string,
  index: number,
): Partial<UiState> {
  return {
    selectedId: parcelId,
    selectedGroup: null,
    selectedIndex: index,
    revealedId: parcelId,
    timelineOffset: parcelId === selectedId ? timelineOffset : 0,
  };
}

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

/** Which of list and timeline has the focus, or has it again when a field is left. */
export const mainPaneOf = (focus: UiState['focus']): MainPane => (focus === 'timeline' ? 'timeline' : 'list');

/**
 * The pane after or before the focused one.
 * @param isZoomed one pane has the window for itself: then the other one takes its place, and not the bar below, where the
 * key that shows both would be text
 */
export function neighbourPane(focus: UiState['focus'], step: 1 | -1, isZoomed = false): Pane {
  if (isZoomed) return focus === 'list' ? 'timeline' : 'list';
  const at = focus === 'filter' ? 0 : panes.indexOf(focus);
  return panes[(at + step + panes.length) % panes.length] ?? 'list';
}
