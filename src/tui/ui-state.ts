import type { ParcelColumn } from '../board/columns.ts';
import type { CourierResolver } from '../board/courier-search.ts';
import type { Completions } from '../board/input/completions.ts';
import { initiallyCollapsed } from '../board/list/arrange.ts';
import { type Sorting, urgentFirst } from '../board/list/sort-orders.ts';
import type { NewsGrouping } from '../board/news-list.ts';
import type { RowProgress } from '../board/scan/row-words.ts';
import type { ScanRow } from '../board/scan/scan-row.ts';
import type { TimeMode } from '../board/time.ts';
import type {
  ChannelChoice,
  CheckResult,
  CurrentSetup,
  KeySource,
  ServiceChoice,
  SetupChoice,
  SetupNote,
} from '../settings/setup/board-setup.ts';
import type { ListedParcels } from '../store/saved-view.ts';
import type { Focus } from './layout.ts';
import { emptyEdit, type LineState, type TextEdit } from './text-edit.ts';

/** A message in the footer, shown until the next key. Plain messages also expire. */
export interface Message {
  readonly tone: 'plain' | 'attention';
  readonly text: string;
  /** Advice after the text, which is never truncated. */
  readonly advice?: string;
  /** How long the message is shown, in milliseconds. */
  readonly durationMs?: number;
  /** True if the message applies only while the database is unreachable. */
  readonly isCutOff?: boolean;
}

/** A question in the input bar. Its callbacks keep the parcel, because the selection can change. */
export interface Prompt {
  readonly name: string;
  /** What to type, or the yes/no question. */
  readonly placeholder: string;
  /** The text being edited, or null for a yes/no question. */
  readonly edit: TextEdit | null;
  /** Returns why the answer is invalid, or null. */
  readonly validate?: (text: string) => string | null;
  /** The footer hint for Enter. Defaults to "save". */
  readonly hint?: string;
  /** Called with the trimmed answer, or with an empty string for yes. */
  readonly accept: (text: string) => void;
  readonly cancel?: () => void;
  readonly complete?: (text: string, cursor: number) => Completions | null;
}

export interface Picker {
  readonly onChoose: (courierCode: string) => void;
  /** Called with the query if the picker is closed without a choice. */
  readonly onClose?: (typed: string) => void;
  readonly likely: readonly string[];
  readonly query: TextEdit;
  readonly index: number;
}

/** The completion that the user is cycling through. */
export interface ActiveCompletion {
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

/** The steps of setup, in order. */
export const setupSteps = ['service', 'url', 'header', 'key', 'check', 'save', 'zone', 'notify', 'numbers'] as const;

/** `hook` and `channel` belong to `notify`. */
export type SetupStep = (typeof setupSteps)[number] | 'hook' | 'channel';

export type SetupField = 'url' | 'header' | 'key' | 'command' | 'zone' | 'hook' | 'channel';

export interface SetupState {
  readonly step: SetupStep;
  readonly done: readonly SetupStep[];
  /** Null until loaded. */
  readonly active: CurrentSetup | null;
  readonly notes: readonly SetupNote[];
  /** What setup is doing, such as `Saving…`, or null while it waits for an answer. */
  readonly busy: string | null;
  /** Index of the selected choice, or null for the suggested one. */
  readonly index: number | null;
  /** Number of rows scrolled out above, or null to follow the selection. */
  readonly offset: number | null;
  /** Includes the API key, which is cleared once it is saved, or when the service changes or setup is closed. */
  readonly fields: Readonly<Record<SetupField, TextEdit>>;
  /** The chosen service, or null for the configured one. */
  readonly service: ServiceChoice | null;
  /** The chosen key, or null for the configured one. */
  readonly key: KeySource | null;
  /** Increased to start a new check. */
  readonly run: number;
  /** Result of the last check, or null while it runs. */
  readonly checkResult: CheckResult | null;
  /** Null until loaded. */
  readonly stores: readonly SetupChoice[] | null;
  /** Null until loaded. */
  readonly channels: readonly ChannelChoice[] | null;
  /** The channel being configured, the current question's index, and the answers so far. May include secrets. */
  readonly channelSetup: {
    readonly id: string;
    readonly at: number;
    readonly answers: Readonly<Record<string, string>>;
  } | null;
  /** Null until the user changes the selection. */
  readonly chosenChannels: readonly string[] | null;
  /** Results of test messages, by channel id. */
  readonly testResults: Readonly<Record<string, SetupNote>>;
}

export type OverlayName = 'help' | 'details' | 'news' | 'arrivals' | 'statistics' | 'scan' | 'output';

export interface OverlayState {
  readonly overlay: OverlayName | null;
  readonly overlayOffset: number;
}

export interface ColumnMenuState {
  readonly names: readonly ParcelColumn[];
  readonly shown: ReadonlySet<ParcelColumn>;
  /** Whether the columns depend on the width of the list, as they do by default. */
  readonly usesDefaultColumns: boolean;
  readonly index: number;
}

/** Columns that the user chose, and the view's columns that they replace. Empty means the default columns. */
interface OwnColumns {
  readonly chosen: readonly ParcelColumn[];
  readonly instead: readonly ParcelColumn[];
}

export interface UiState extends OverlayState {
  readonly focus: Focus;
  readonly message: Message | null;
  /** Whether the focused pane is zoomed, or null to let the window size decide. */
  readonly zoom: boolean | null;
  readonly timelineOffset: number;
  readonly timeMode: TimeMode;
  /** Whether events are translated into English. */
  readonly isInEnglish: boolean;
  /** Whether the timeline also shows facts about the parcel. */
  readonly showsFacts: boolean;

  readonly listed: ListedParcels;
  readonly sorting: Sorting;
  /** The order before the order menu was opened, or null while it is closed. */
  readonly previousSorting: Sorting | null;
  /** As typed. Empty to show all parcels. */
  readonly filter: TextEdit;
  /** The last chosen view, or null. The user may have changed its filter or order since. */
  readonly viewName: string | null;
  /** By view name. The name is empty without a view. */
  readonly columnsByView: Readonly<Record<string, OwnColumns>>;
  /** Null while the column menu is closed. */
  readonly columnMenu: ColumnMenuState | null;
  /** The selected parcel, visible or not. */
  readonly selectedId: string | null;
  /** Key of the selected group heading, or null. */
  readonly selectedGroup: string | null;
  readonly selectedIndex: number;
  /** Scroll position set by the mouse wheel, a new object for each turn. Null if the wheel was not used. */
  readonly wheelScroll: { readonly offset: number } | null;
  /** A parcel whose group must be expanded to show it, or null. */
  readonly revealedId: string | null;
  /** Keys of the groups that are collapsed while there is no filter. */
  readonly collapsed: readonly string[];
  /** Keys of the groups that are collapsed while this filter applies. */
  readonly collapsedInFilter: { readonly filter: string; readonly groups: readonly string[] } | null;
  /** Ids of the marked parcels, without the current range. Some may no longer exist. */
  readonly marked: ReadonlySet<string>;
  /** The parcel at which the range starts, or null if there is no range. */
  readonly rangeStartId: string | null;

  /** The text in the input bar. */
  readonly draft: TextEdit;
  /** Submitted text that waits for the courier list, or null. */
  readonly lookup: { readonly text: string; readonly read: CourierResolver | null } | null;
  readonly flaggedNumbers: readonly string[];
  /** Entered lines, oldest first. */
  readonly entered: readonly string[];
  /** Numbers of deleted parcels, which must not return to the entered lines. */
  readonly forgotten: readonly string[];
  /** The earlier line that was recalled into the bar, and what was typed before, or null. */
  readonly recall: { readonly typed: TextEdit; readonly index: number; readonly text: string } | null;
  /** The text that was last cut from any field. */
  readonly lastCut: string;
  readonly activeCompletion: ActiveCompletion | null;
  readonly prompt: Prompt | null;
  readonly picker: Picker | null;

  readonly helpQuery: TextEdit;
  /** Index of the selected key in the help, or -1. */
  readonly helpIndex: number;
  /** Whether the help lists the keys of all panes. */
  readonly helpShowsAll: boolean;
  /** The overlay to return to when the help is closed, or null for the panes. */
  readonly overlayUnderHelp: OverlayState | null;
  /** Sequence number of the selected change, or null for the first visible one. */
  readonly newsSelected: number | null;
  /** The news filter, as typed. Empty to show all changes. */
  readonly newsFilter: TextEdit;
  readonly isNewsFilterTyped: boolean;
  readonly newsGrouping: NewsGrouping;
  /** Sequence number of the newest change that was seen before the news was opened. */
  readonly newsAfter: number;
  /** Sequence number of the newest change shown in the news, or null if it was never opened. */
  readonly newsSeq: number | null;
  /** Index of the selected day or courier in an overlay. */
  readonly overlayRow: number;
  readonly output: { readonly title: string; readonly text: string };
  /** The last list of found numbers, which `V` reopens. */
  readonly scan: OpenScan | null;
  /** The last multi-line paste in which no number was found, or null. */
  readonly pasteWithoutNumbers: string | null;
  /** Null while setup is closed. */
  readonly setupState: SetupState | null;
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
  previousSorting: null,
  filter: emptyEdit,
  viewName: null,
  columnsByView: {},
  columnMenu: null,
  selectedId: null,
  selectedGroup: null,
  selectedIndex: 0,
  wheelScroll: null,
  revealedId: null,
  collapsed: initiallyCollapsed,
  collapsedInFilter: null,
  marked: new Set(),
  rangeStartId: null,
  draft: emptyEdit,
  lookup: null,
  flaggedNumbers: [],
  entered: [],
  forgotten: [],
  recall: null,
  lastCut: '',
  activeCompletion: null,
  prompt: null,
  picker: null,
  overlay: null,
  overlayOffset: 0,
  helpQuery: emptyEdit,
  helpIndex: -1,
  helpShowsAll: false,
  overlayUnderHelp: null,
  newsSelected: null,
  newsFilter: emptyEdit,
  isNewsFilterTyped: false,
  newsGrouping: 'day',
  newsAfter: 0,
  newsSeq: null,
  output: { title: '', text: '' },
  overlayRow: 0,
  scan: null,
  pasteWithoutNumbers: null,
  setupState: null,
};

/** The changed fields, or a function that returns them from the latest state. */
export type Changes = Partial<UiState> | ((ui: UiState) => Partial<UiState>);

export type Change = (changes: Changes) => void;

export function applyChange(ui: UiState, changes: Changes): UiState {
  const changed = typeof changes === 'function' ? changes(ui) : changes;
  const isSame = (Object.keys(changed) as (keyof UiState)[]).every((name) => changed[name] === ui[name]);
  return isSame ? ui : { ...ui, ...changed };
}
