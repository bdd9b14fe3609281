import type { ParcelColumn } from '../board/columns.ts';
import type { CourierReader } from '../board/courier-search.ts';
import type { Completions } from '../board/input/completions.ts';
import { collapsedAtFirst } from '../board/list/arrange.ts';
import { type Sorting, urgentFirst } from '../board/list/sort-orders.ts';
import type { NewsGrouping } from '../board/news-list.ts';
import type { RowProgress } from '../board/scan/row-words.ts';
import type { ScanRow } from '../board/scan/scan-row.ts';
import type { TimeMode } from '../board/time/checkpoint-time.ts';
import type { ChannelChoice, KeySource, Proof, ServiceChoice, SetupNow } from '../settings/setup/effects.ts';
import type { SetupChoice, SetupNote } from '../settings/setup/setup-lines.ts';
import type { ListedParcels } from '../store/saved-view.ts';
import { emptyEdit, type LineState, type TextEdit } from './field/text-edit.ts';
import type { Focus } from './layout.ts';

/** A message in the footer, until the next key. A plain one disappears automatically. */
export interface Message {
  readonly tone: 'plain' | 'attention';
  readonly text: string;
  /** Advice after the text. It is never cut off. */
  readonly advice?: string;
  /** How long it stays, in milliseconds. Defaults to the usual time. */
  readonly shownMs?: number;
  /** True if it only applies while the database is unreachable. */
  readonly isCutOff?: boolean;
}

/** A question in the input bar. It keeps its parcel, because the selection can change. */
export interface Prompt {
  readonly name: string;
  /** What to type, or the yes/no question. */
  readonly placeholder: string;
  /** The typed text. Null for a yes/no question. */
  readonly edit: TextEdit | null;
  /** Why the answer is not valid, or null. */
  readonly problemOf?: (text: string) => string | null;
  /** The hint for Enter in the footer. Defaults to "save". */
  readonly hint?: string;
  /** Called with the trimmed answer. Empty for yes. */
  readonly accept: (text: string) => void;
  readonly cancel?: () => void;
  readonly complete?: (text: string, cursor: number) => Completions | null;
}

export interface Picker {
  readonly take: (courierCode: string) => void;
  /** Called with the typed text when closed without a choice. Absent if not needed. */
  readonly leave?: (typed: string) => void;
  readonly likely: readonly string[];
  readonly query: TextEdit;
  readonly index: number;
}

/** The last completion. */
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

/** A question of set-up, in order. `hook` and `channel` are parts of `notify`. */
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
  | 'channel'
  | 'numbers';

export type SetupField = 'url' | 'header' | 'key' | 'command' | 'zone' | 'hook' | 'channel';

export interface SettingUp {
  readonly step: SetupStep;
  readonly done: readonly SetupStep[];
  /** Null until known. */
  readonly now: SetupNow | null;
  readonly notes: readonly SetupNote[];
  /** Description of the current work. Null if idle. */
  readonly busy: string | null;
  /** The selected choice. Null for the suggested one. */
  readonly index: number | null;
  /** Rows above the window after scrolling. Null follows the selection. */
  readonly offset: number | null;
  /** Includes the API key, which is removed when it is saved, or when the service or set-up is left. */
  readonly fields: Readonly<Record<SetupField, TextEdit>>;
  /** The chosen service. Null for the current one. */
  readonly service: ServiceChoice | null;
  /** The chosen key. Null for the current one. */
  readonly key: KeySource | null;
  /** A new number starts a new check. */
  readonly run: number;
  /** Result of the last check. Null while it runs. */
  readonly proof: Proof | null;
  /** Null until known. */
  readonly stores: readonly SetupChoice[] | null;
  /** Null until known. */
  readonly channels: readonly ChannelChoice[] | null;
  /** The channel that is asked about, the open question, and the answers so far, or null. May include secrets. */
  readonly asking: {
    readonly id: string;
    readonly at: number;
    readonly answers: Readonly<Record<string, string>>;
  } | null;
  /** Null until the user changes it. */
  readonly chosenChannels: readonly string[] | null;
  /** Results of channel tests by id. */
  readonly trials: Readonly<Record<string, SetupNote>>;
}

export interface OverlayState {
  readonly overlay: 'help' | 'details' | 'news' | 'arrivals' | 'statistics' | 'scan' | 'output' | null;
  readonly overlayOffset: number;
}

/** The columns while the user chooses them. */
export interface ColumnChoice {
  readonly names: readonly ParcelColumn[];
  readonly shown: ReadonlySet<ParcelColumn>;
  /** Whether the list's width decides. */
  readonly isUsual: boolean;
  /** Index of the selected name. */
  readonly index: number;
}

/** Columns that the user chose instead of those of a view. Empty means the standard ones. */
interface OwnColumns {
  readonly chosen: readonly ParcelColumn[];
  readonly instead: readonly ParcelColumn[];
}

/** State of the screen. */
export interface UiState extends OverlayState {
  readonly focus: Focus;
  readonly message: Message | null;
  /** Whether the focused pane is zoomed. Null lets the window's size decide. */
  readonly zoom: boolean | null;
  readonly timelineOffset: number;
  readonly timeMode: TimeMode;
  /** Whether events are shown with their English translation. */
  readonly isInEnglish: boolean;
  /** Whether the timeline shows more than its events. */
  readonly showsFacts: boolean;

  readonly listed: ListedParcels;
  readonly sorting: Sorting;
  /** The order before the menu opened. Null while it is closed. */
  readonly sortingBefore: Sorting | null;
  /** As typed. Empty for all. */
  readonly filter: TextEdit;
  /** The view that was chosen last, or null. Filter and order can differ from it. */
  readonly viewName: string | null;
  /** By the view's name. Without a view, the name is empty. */
  readonly columnsByView: Readonly<Record<string, OwnColumns>>;
  /** Null while the columns are not being chosen. */
  readonly choosing: ColumnChoice | null;
  /** The chosen parcel, visible or not. */
  readonly selectedId: string | null;
  /** Key of the chosen group heading, or null. */
  readonly selectedGroup: string | null;
  readonly selectedIndex: number;
  /** Scroll position from the wheel, a new object each time. Null if the wheel was not used. */
  readonly wheeled: { readonly offset: number } | null;
  /** A parcel to reveal by expanding its group, or null. */
  readonly revealedId: string | null;
  /** Keys of collapsed groups without a filter. */
  readonly collapsed: readonly string[];
  /** Collapsed groups of this filter, or of a view. */
  readonly collapsedInFilter: { readonly filter: string; readonly groups: readonly string[] } | null;
  /** Ids of marked parcels without the range. Some may be gone. */
  readonly marked: ReadonlySet<string>;
  /** The parcel where the range starts. Null outside a range. */
  readonly rangeFrom: string | null;

  /** The input bar. */
  readonly draft: TextEdit;
  /** A text that waits for the couriers, or null. */
  readonly lookup: { readonly text: string; readonly read: CourierReader | null } | null;
  readonly doubted: readonly string[];
  /** Entered lines, oldest first. */
  readonly entered: readonly string[];
  /** Deleted numbers, which are removed from the entered lines. */
  readonly forgotten: readonly string[];
  /** An earlier line that is in the bar again, or null. */
  readonly recall: { readonly typed: TextEdit; readonly index: number; readonly text: string } | null;
  /** The last cut of any field. May be empty. */
  readonly lastCut: string;
  readonly completing: Completing | null;
  readonly prompt: Prompt | null;
  readonly picker: Picker | null;

  readonly helpQuery: TextEdit;
  /** Index of the help's selected key, or -1. */
  readonly helpIndex: number;
  /** Whether the help lists the keys of all panes. */
  readonly helpAll: boolean;
  /** The overlay below the help, which returns when the help is closed. Null for the panes. */
  readonly helpCovers: OverlayState | null;
  /** Sequence number of the selected change. Null for the first visible one. */
  readonly newsSelected: number | null;
  /** The filter of the news, as typed. Empty for all. */
  readonly newsFilter: TextEdit;
  readonly isNewsFilterTyped: boolean;
  readonly newsGrouping: NewsGrouping;
  /** Newest line seen before the news was opened. */
  readonly newsAfter: number;
  /** Newest line shown in the news. Null if it was never open. */
  readonly newsSeq: number | null;
  /** The chosen day or courier of an overlay. */
  readonly chosenRow: number;
  /** Last output of a user's command. */
  readonly output: { readonly title: string; readonly text: string };
  /** The last list of found numbers, which V opens again. */
  readonly scan: OpenScan | null;
  /** The last pasted text of several lines without a number. */
  readonly withoutNumber: string | null;
  /** Null outside set-up. */
  readonly settingUp: SettingUp | null;
}

export const initialUiState: UiState = {
  focus: 'list',
  message: null,
  zoom: null,
  timelineOffset: 0,
  timeMode: 'event',
  isInEnglish: false,
  showsFacts: false,
  listed: 'watched',
  sorting: urgentFirst,
  sortingBefore: null,
  filter: emptyEdit,
  viewName: null,
  columnsByView: {},
  choosing: null,
  selectedId: null,
  selectedGroup: null,
  selectedIndex: 0,
  wheeled: null,
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
  helpAll: false,
  helpCovers: null,
  newsSelected: null,
  newsFilter: emptyEdit,
  isNewsFilterTyped: false,
  newsGrouping: 'day',
  newsAfter: 0,
  newsSeq: null,
  output: { title: '', text: '' },
  chosenRow: 0,
  scan: null,
  withoutNumber: null,
  settingUp: null,
};

/** The changed fields, or a function of the newest state. */
export type Changes = Partial<UiState> | ((ui: UiState) => Partial<UiState>);

export type Change = (changes: Changes) => void;

export function applyChange(ui: UiState, changes: Changes): UiState {
  const changed = typeof changes === 'function' ? changes(ui) : changes;
  const isSame = (Object.keys(changed) as (keyof UiState)[]).every((name) => changed[name] === ui[name]);
  return isSame ? ui : { ...ui, ...changed };
}
