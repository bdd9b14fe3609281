import type { CourierCheck } from '../board/courier/courier-check.ts';
import type { LeftEntry } from '../board/input/partial-add.ts';
import { type TimeMode, timeModes } from '../board/time/checkpoint-time.ts';
import type { NewParcel } from '../polling/core/state.ts';
import { applyEdit, type EditCommand, emptyEdit, type TextEdit } from './field/text-edit.ts';
import type { KeyContext } from './keys/keymap.ts';

/** Panes that can have the focus, in the order of Tab. */
export const panes = ['list', 'timeline', 'add'] as const;
export type Pane = (typeof panes)[number];

/** A message in the footer, until the next key; a plain one leaves by itself. */
export interface Message {
  readonly tone: 'plain' | 'attention';
  readonly text: string;
}

/** A parcel to be added, and what was typed for it. */
export interface NewEntry {
  readonly parcel: NewParcel;
  readonly text: string;
}

/** What the input bar asks for, in the place of a number. */
export type PromptPurpose =
  /** Names its parcel, because another one may be selected by the time it is answered. */
  | { readonly kind: 'label' | 'postal-code' | 'phone-suffix'; readonly parcelId: string; readonly name: string }
  /** A new parcel whose courier needs it; it is added when it is answered, with or without. `left` came along and is not added. */
  | {
      readonly kind: 'new-postal-code' | 'new-phone-suffix';
      readonly parcel: NewParcel;
      readonly entry: string;
      readonly left: readonly LeftEntry[];
    }
  | { readonly kind: 'add-many'; readonly entries: readonly NewEntry[]; readonly left: readonly LeftEntry[] }
  | { readonly kind: 'delete'; readonly parcelId: string; readonly name: string };

/** A question of the input bar with what is typed so far. */
export interface Prompt {
  readonly purpose: PromptPurpose;
  readonly edit: TextEdit;
}

/** The courier picker. */
export interface PickerState {
  /** The parcel that gets another courier; null when a courier is chosen for the number in the input bar. */
  readonly parcelId: string | null;
  readonly query: string;
  readonly index: number;
}

/** A text of the input bar that was entered before the couriers were there to check it. */
export interface Lookup {
  readonly text: string;
  /** Null until they are there, or cannot be had. */
  readonly check: CourierCheck | null;
}

/** All that belongs to the screen alone: focus, selection, scroll, drafts. */
export interface UiState {
  readonly focus: Pane | 'filter';
  readonly overlay: 'help' | 'details' | null;
  readonly overlayOffset: number;
  readonly picker: PickerState | null;
  readonly prompt: Prompt | null;
  /** The parcel that the user chose; it may be out of sight. See `effectiveSelection`. */
  readonly selectedId: string | null;
  /** Where the selection stood last, for when its parcel leaves the list. */
  readonly selectedIndex: number;
  readonly timelineOffset: number;
  readonly filter: TextEdit;
  readonly draft: TextEdit;
  /** Null when no text waits. */
  readonly lookup: Lookup | null;
  /** Numbers that were entered last and whose check digits were doubted: entered once more, they are added as they are. */
  readonly doubted: readonly string[];
  readonly timeMode: TimeMode;
  readonly message: Message | null;
}

/** The board as it opens. */
export const initialUiState: UiState = {
  focus: 'list',
  overlay: null,
  overlayOffset: 0,
  picker: null,
  prompt: null,
  selectedId: null,
  selectedIndex: 0,
  timelineOffset: 0,
  filter: emptyEdit,
  draft: emptyEdit,
  lookup: null,
  doubted: [],
  timeMode: 'event',
  message: null,
};

/** Everything that changes the state of the screen. */
export type UiEvent =
  | { readonly kind: 'focused'; readonly pane: UiState['focus'] }
  | { readonly kind: 'overlay-opened'; readonly overlay: 'help' | 'details' }
  | { readonly kind: 'overlay-closed' }
  | { readonly kind: 'overlay-scrolled'; readonly to: number }
  | { readonly kind: 'selected'; readonly parcelId: string | null; readonly index: number }
  | { readonly kind: 'timeline-scrolled'; readonly to: number }
  | { readonly kind: 'filter-edited'; readonly command: EditCommand }
  | { readonly kind: 'filter-cleared' }
  | { readonly kind: 'draft-edited'; readonly command: EditCommand }
  | { readonly kind: 'draft-set'; readonly draft: TextEdit }
  /** Entries that could not be added, or were not after all, come back. */
  | { readonly kind: 'draft-returned'; readonly text: string }
  | { readonly kind: 'doubts-told'; readonly trackNos: readonly string[] }
  | { readonly kind: 'lookup-began'; readonly text: string }
  | { readonly kind: 'lookup-answered'; readonly check: CourierCheck }
  | { readonly kind: 'lookup-ended' }
  | { readonly kind: 'picker-opened'; readonly parcelId: string | null }
  | { readonly kind: 'prompted'; readonly purpose: PromptPurpose; readonly text: string }
  | { readonly kind: 'prompt-edited'; readonly command: EditCommand }
  | { readonly kind: 'prompt-closed' }
  | { readonly kind: 'picker-closed' }
  | { readonly kind: 'picker-query-changed'; readonly query: string }
  | { readonly kind: 'picker-moved'; readonly to: number }
  | { readonly kind: 'time-mode-chosen'; readonly timeMode: TimeMode }
  | { readonly kind: 'told'; readonly message: Message | null }
  /** A message has been there long enough. */
  | { readonly kind: 'message-expired'; readonly message: Message };

/** The time mode after this one. */
export const nextTimeMode = (timeMode: TimeMode): TimeMode =>
  timeModes[(timeModes.indexOf(timeMode) + 1) % timeModes.length] ?? 'event';

/** Puts entries before what is being typed: behind it, they might end up in a label that is still open. */
function withEntriesBefore(draft: TextEdit, entries: string): TextEdit {
  const added = draft.text.trim() === '' ? entries : `${entries}\n`;
  return { text: added + draft.text, cursor: added.length + draft.cursor };
}

/** The one reducer of the screen. */
export function reduceUi(state: UiState, event: UiEvent): UiState {
  switch (event.kind) {
    case 'focused':
      return { ...state, focus: event.pane, picker: null };
    case 'overlay-opened':
      return { ...state, overlay: event.overlay, overlayOffset: 0 };
    case 'overlay-closed':
      return { ...state, overlay: null, overlayOffset: 0 };
    case 'overlay-scrolled':
      return { ...state, overlayOffset: Math.max(0, event.to) };
    case 'selected': {
      const isOther = event.parcelId !== state.selectedId;
      return {
        ...state,
        selectedId: event.parcelId,
        selectedIndex: event.index,
        timelineOffset: isOther ? 0 : state.timelineOffset,
      };
    }
    case 'timeline-scrolled':
      return { ...state, timelineOffset: Math.max(0, event.to) };
    case 'filter-edited':
      return { ...state, filter: applyEdit(state.filter, event.command) };
    case 'filter-cleared':
      return { ...state, filter: emptyEdit, focus: state.focus === 'filter' ? 'list' : state.focus };
    case 'draft-edited':
      return { ...state, draft: applyEdit(state.draft, event.command) };
    case 'draft-set':
      return { ...state, draft: event.draft };
    case 'draft-returned':
      return { ...state, draft: withEntriesBefore(state.draft, event.text) };
    case 'doubts-told':
      return { ...state, doubted: event.trackNos };
    case 'lookup-began':
      return { ...state, lookup: { text: event.text, check: state.lookup?.check ?? null } };
    case 'lookup-answered':
      return state.lookup === null ? state : { ...state, lookup: { ...state.lookup, check: event.check } };
    case 'lookup-ended':
      return state.lookup === null ? state : { ...state, lookup: null };
    case 'picker-opened':
      return { ...state, picker: { parcelId: event.parcelId, query: '', index: 0 } };
    case 'prompted':
      return { ...state, prompt: { purpose: event.purpose, edit: { text: event.text, cursor: event.text.length } } };
    case 'prompt-edited':
      return state.prompt === null
        ? state
        : { ...state, prompt: { ...state.prompt, edit: applyEdit(state.prompt.edit, event.command) } };
    case 'prompt-closed':
      return { ...state, prompt: null };
    case 'picker-closed':
      return { ...state, picker: null };
    case 'picker-query-changed':
      return state.picker === null ? state : { ...state, picker: { ...state.picker, query: event.query, index: 0 } };
    case 'picker-moved':
      return state.picker === null ? state : { ...state, picker: { ...state.picker, index: Math.max(0, event.to) } };
    case 'time-mode-chosen':
      return { ...state, timeMode: event.timeMode };
    case 'told':
      return state.message === event.message ? state : { ...state, message: event.message };
    case 'message-expired':
      return state.message === event.message ? { ...state, message: null } : state;
  }
}

/** Whether a question is answered by yes or no. */
export const isYesOrNo = ({ kind }: PromptPurpose): boolean => kind === 'delete' || kind === 'add-many';

/** The context in which keys are looked up. */
export function keyContextOf(state: UiState): KeyContext {
  if (state.overlay !== null) return state.overlay;
  if (state.picker !== null) return 'picker';
  if (state.prompt !== null) return isYesOrNo(state.prompt.purpose) ? 'confirm' : 'prompt';
  return state.focus;
}

/** The pane after or before the focused one. */
export function neighbourPane(focus: UiState['focus'], step: 1 | -1): Pane {
  const at = focus === 'filter' ? 0 : panes.indexOf(focus);
  return panes[(at + step + panes.length) % panes.length] ?? 'list';
}
