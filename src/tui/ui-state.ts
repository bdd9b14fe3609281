import type { CourierReader } from '../board/courier-search.ts';
import type { Completions } from '../board/input/completions.ts';
import { collapsedAtFirst } from '../board/list/arrange.ts';
import { type Sorting, urgentFirst } from '../board/list/sort-orders.ts';
import type { RowProgress } from '../board/scan/row-words.ts';
import type { ScanRow } from '../board/scan/scan-row.ts';
import type { TimeMode } from '../board/time/checkpoint-time.ts';
import type { KeySource, Proof, ServiceChoice, SetupNow } from '../settings/setup/effects.ts';
import type { SetupChoice, SetupNote } from '../settings/setup/setup-lines.ts';
import type { ListedParcels } from '../store/saved-view.ts';
import { emptyEdit, type LineState, type TextEdit } from './field/text-edit.ts';
import type { Focus } from './layout.ts';

/** A message in the footer, until the next key; a plain one leaves by itself. */
export interface Message {
  readonly tone: 'plain' | 'attention';
  readonly text: string;
  /** What the user can do now, behind the text: it stays whole where there is no room for both. */
  readonly advice?: string;
  /** How long it stays, in milliseconds, where that is longer than usual. */
  readonly shownMs?: number;
  /** True for what is so only while the database cannot be reached. */
  readonly isCutOff?: boolean;
}

/** A question in the place of the input bar. It names its parcel itself, because another one may be selected by the time it is answered. */
export interface Prompt {
  readonly name: string;
  /** What to type; for a question that y or n answers, the question. */
  readonly placeholder: string;
  /** What is typed so far; null for a question that y or n answers. */
  readonly edit: TextEdit | null;
  /** What is wrong with an answer, as a sentence; null when nothing is. */
  readonly problemOf?: (text: string) => string | null;
  /** Takes the answer, without white space around it; empty for a yes. */
  readonly accept: (text: string) => void;
  readonly cancel?: () => void;
  readonly complete?: (text: string, cursor: number) => Completions | null;
}

export interface Picker {
  readonly take: (courierCode: string) => void;
  /** Takes what was typed when it is closed without a choice; absent where that is not wanted. */
  readonly leave?: (typed: string) => void;
  readonly likely: readonly string[];
  readonly query: TextEdit;
  readonly index: number;
}

/** What Tab has completed last. */
export interface Completing {
  readonly before: TextEdit;
  readonly completions: Completions;
  readonly index: number;
  readonly line: LineState;
  readonly owner: object;
}

export interface OpenScan {
  readonly id: number;
  readonly source: string;
  readonly stage:
    | { readonly kind: 'reading'; readonly stop: () => void }
    | { readonly kind: 'choosing' }
    | { readonly kind: 'adding'; readonly doing: string; readonly isStopping: boolean; readonly stop: () => void }
    | { readonly kind: 'ended' };
  readonly rows: readonly ScanRow[];
  readonly index: number;
  readonly progress: ReadonlyMap<number, RowProgress>;
  readonly notes: readonly string[];
}

/** One question of the conversation, in its order; `hook` is asked within `notify`. */
export type SetupStep =
  | 'service'
  | 'url'
  | 'header'
  | 'key'
  | 'check'
  | 'save'
  | 'zone'
  | 'notify'
  | 'hook'
  | 'numbers';

export type SetupField = 'url' | 'header' | 'key' | 'command' | 'zone' | 'hook';

export interface SettingUp {
  readonly step: SetupStep;
  readonly done: readonly SetupStep[];
  /** Null until it is known. */
  readonly now: SetupNow | null;
  readonly notes: readonly SetupNote[];
  /** What is being done, as a phrase: nothing else can be chosen until then; null when nothing is. */
  readonly busy: string | null;
  /** The selected choice of the step; null for the one that the step suggests. */
  readonly index: number | null;
  /** Rows above the window, once the user has scrolled; null lets the selection decide. */
  readonly offset: number | null;
  /** The key is one of them: it leaves the state when it is saved, with the service that it was typed for, or with the conversation. */
  readonly fields: Readonly<Record<SetupField, TextEdit>>;
  /** What was chosen in this conversation; null leaves the service as it is. */
  readonly service: ServiceChoice | null;
  /** Null leaves the key as it is. */
  readonly key: KeySource | null;
  /** Counts the proofs: another number begins another one. */
  readonly run: number;
  /** What the last one found; null while it runs. */
  readonly proof: Proof | null;
  /** Null until they are known. */
  readonly stores: readonly SetupChoice[] | null;
  /** Null until they are known. */
  readonly channels: readonly SetupChoice[] | null;
  /** Null until the user has changed what is set. */
  readonly chosenChannels: readonly string[] | null;
  /** What came of trying a channel, by its id. */
  readonly trials: Readonly<Record<string, SetupNote>>;
}

export interface OverlayState {
  readonly overlay: 'help' | 'details' | 'news' | 'scan' | null;
  readonly overlayOffset: number;
}

/** What the screen remembers. */
export interface UiState extends OverlayState {
  readonly focus: Focus;
  readonly message: Message | null;
  /** Whether the focused pane has the window for itself, as the user wanted it; null lets the window's size decide. */
  readonly zoom: boolean | null;
  readonly timelineOffset: number;
  readonly timeMode: TimeMode;

  readonly listed: ListedParcels;
  readonly sorting: Sorting;
  /** The order as it was when the menu was opened, which Escape brings back; null while the menu is closed. */
  readonly sortingBefore: Sorting | null;
  /** As it is typed; empty for all. */
  readonly filter: TextEdit;
  /** The chosen parcel; it may be out of sight. */
  readonly selectedId: string | null;
  /** Key of the group whose heading the user chose; null when a parcel is. */
  readonly selectedGroup: string | null;
  readonly selectedIndex: number;
  /** A parcel that is to be seen, wherever it stands: its group is opened for it. Null when that is done. */
  readonly revealedId: string | null;
  /** Keys of the groups of which only the heading is shown while nothing is filtered. */
  readonly collapsed: readonly string[];
  readonly collapsedInFilter: { readonly filter: string; readonly groups: readonly string[] } | null;
  /** Ids of the parcels that were marked, range left out; some may be gone. */
  readonly marked: ReadonlySet<string>;
  /** The parcel with which a range was begun, which reaches to the selected one; null outside a range. */
  readonly rangeFrom: string | null;

  /** The input bar. */
  readonly draft: TextEdit;
  /** A text that waits for the couriers, which are null until they are there; null when none waits. */
  readonly lookup: { readonly text: string; readonly read: CourierReader | null } | null;
  readonly doubted: readonly string[];
  /** What was entered, oldest first. */
  readonly entered: readonly string[];
  /** Numbers that were deleted, and are no part of what was entered any more. */
  readonly forgotten: readonly string[];
  /** A line that was entered before and stands in the bar again; null for none. */
  readonly recall: { readonly typed: TextEdit; readonly index: number; readonly text: string } | null;
  /** What was cut out last, of any field; empty for nothing. */
  readonly lastCut: string;
  readonly completing: Completing | null;
  readonly prompt: Prompt | null;
  readonly picker: Picker | null;

  readonly helpQuery: TextEdit;
  /** The selected one of what the help lists; -1 while none is. */
  readonly helpIndex: number;
  /** What the help was opened over, which comes back when it is closed; null for the panes. */
  readonly helpCovers: OverlayState | null;
  /** The selected line of the change log, by its number; null for the first one shown. */
  readonly newsSelected: number | null;
  /** The newest line that the user had seen when the news were opened: what they saw stands below a rule. */
  readonly newsAfter: number;
  /** The newest line that the open news have shown; null when they were never open. */
  readonly newsSeq: number | null;
  /** The open list of found numbers, or the last one, which V opens again. */
  readonly scan: OpenScan | null;
  /** The last pasted text of several lines without a number. */
  readonly withoutNumber: string | null;
  /** Null while nobody sets up. */
  readonly settingUp: SettingUp | null;
}

export const initialUiState: UiState = {
  focus: 'list',
  message: null,
  zoom: null,
  timelineOffset: 0,
  timeMode: 'event',
  listed: 'watched',
  sorting: urgentFirst,
  sortingBefore: null,
  filter: emptyEdit,
  selectedId: null,
  selectedGroup: null,
  selectedIndex: 0,
  revealedId: null,
  collapsed: collapsedAtFirst,
  collapsedInFilter: null,
  marked: new Set(),
  rangeFrom: null,
  draft: emptyEdit,
  lookup: null,
  doubted: [],
  entered: [],
  forgotten: [],
  recall: null,
  lastCut: '',
  completing: null,
  prompt: null,
  picker: null,
  overlay: null,
  overlayOffset: 0,
  helpQuery: emptyEdit,
  helpIndex: -1,
  helpCovers: null,
  newsSelected: null,
  newsAfter: 0,
  newsSeq: null,
  scan: null,
  withoutNumber: null,
  settingUp: null,
};

/** The fields that change, or what they change to, from the newest state. */
export type Changes = Partial<UiState> | ((ui: UiState) => Partial<UiState>);

export type Change = (changes: Changes) => void;

export function applyChange(ui: UiState, changes: Changes): UiState {
  const changed = typeof changes === 'function' ? changes(ui) : changes;
  const isSame = (Object.keys(changed) as (keyof UiState)[]).every((name) => changed[name] === ui[name]);
  return isSame ? ui : { ...ui, ...changed };
}
