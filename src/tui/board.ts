import type { Arrivals } from '../board/arrivals.ts';
import type { ParcelColumn } from '../board/columns.ts';
import type { CourierSearch } from '../board/courier-search.ts';
import type { PauseReason } from '../board/header-problem.ts';
import type { Arrangement } from '../board/list/arrange.ts';
import type { ColumnNeeds } from '../board/list/list-columns.ts';
import type { HeadingRow, ListRows, ListWindow } from '../board/list/list-rows.ts';
import type { NewsList, NewsWindow } from '../board/news-list.ts';
import type { JudgedRow } from '../board/scan/judge-rows.ts';
import type { CourierNames } from '../board/scan/row-words.ts';
import type { ScanCells, ScanWidths } from '../board/scan/scan-lines.ts';
import type { Statistics } from '../board/statistics.ts';
import type { StageCounts, Viewing } from '../board/status/status-now.ts';
import type { ViewTab } from '../board/view-tabs.ts';
import type { Clock, EpochMs } from '../lib/clock.ts';
import type { Line, Look } from '../lib/paint.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { CallCost } from '../polling/gate/call-rules.ts';
import type { MonitorState, PollingState } from '../polling/state.ts';
import type { Courier } from '../service/port.ts';
import type { ScreenServices } from '../settings/session/context.ts';
import type { OpenPage } from '../system/desktop.ts';
import type { Suspension } from '../system/process-life.ts';
import type { RunForOutput } from '../system/run-program.ts';
import type { FrameTexts, Layout, Scroll, Span, VisibleText } from './layout.ts';
import type { CopyText } from './terminal/clipboard.ts';
import type { LineCommand } from './text-edit.ts';
import type { Change, OpenScan, OverlayName, UiState } from './ui-state.ts';

/** Everything that the program passes to the board. */
export interface BoardServices extends Look, ScreenServices {
  readonly clock: Clock;
  readonly openPage: OpenPage;
  /** Runs the user's commands. */
  readonly runForOutput: RunForOutput;
  readonly copyText: CopyText;
  /** Null if the shell has no job control. */
  readonly suspension: Suspension | null;
}

export interface LoadedCouriers {
  readonly status: 'absent' | 'loading' | 'ready' | 'failed';
  readonly couriers: readonly Courier[];
  /** Why the couriers could not be loaded, as a sentence, or null. */
  readonly problem: string | null;
  readonly stale: boolean;
  readonly search: CourierSearch;
}

export interface Marks {
  readonly ids: ReadonlySet<string>;
  /** How many of them the list does not show, for example because of a filter. */
  readonly unlisted: number;
  readonly isRange: boolean;
}

export interface ShownList extends ListRows {
  readonly arrangement: Arrangement;
}

export interface Selection {
  /** Index among the rows, or -1. */
  readonly row: number;
  /** Null if no parcel is selected. */
  readonly parcelId: string | null;
  readonly group: string | null;
  /** Index of the row among the stops, or of the next stop if it is not one. -1 in an empty list. */
  readonly index: number;
  /** Index among all listed parcels, including hidden ones, or -1. */
  readonly position: number;
}

/** What the pane of an overlay shows. */
export interface OverlayContent extends VisibleText {
  readonly texts: FrameTexts;
  /** All selectable entries, visible or not. Absent if there aren't any, or if the mouse finds them in a different way. */
  readonly choices?: readonly Choice[];
}

export interface ShownOverlay extends OverlayContent {
  readonly name: OverlayName | 'setup';
  readonly choices: readonly Choice[];
}

export interface Choice extends Span {
  /** The entry's palette command, if any. */
  readonly command?: { readonly name: string; readonly suggestions: () => readonly string[] } | undefined;
  /** Why the entry cannot be run now, or null. */
  readonly disabledReason: string | null;
  readonly run: () => void;
}

export interface News extends NewsList {
  /** Number of changes before filtering. */
  readonly total: number;
  readonly isLoading: boolean;
  /** Why the changes cannot be read, or null. */
  readonly problem: string | null;
  /** Sequence number of the selected change, or null. */
  readonly selectedSeq: number | null;
  readonly window: NewsWindow;
}

export interface ShownScan extends OpenScan {
  readonly displayRows: readonly { readonly row: JudgedRow; readonly cells: ScanCells }[];
  readonly selected: JudgedRow | null;
  readonly needs: ScanWidths;
  readonly cost: CallCost;
  readonly names: CourierNames;
}

/** Everything that panes draw and that keys act on. */
export interface Board extends Omit<BoardServices, 'news'> {
  /** The latest state of the monitor. */
  readonly state: MonitorState;
  readonly ui: UiState;
  readonly change: Change;
  /** Edits the focused field, if there is one. */
  readonly editLine: (command: LineCommand) => void;
  readonly quit: (reason?: 'quit' | 'interrupted') => void;
  readonly redraw: () => void;
  readonly isSilent: boolean;
  readonly now: EpochMs;
  /** Size of the terminal, in cells. */
  readonly columns: number;
  readonly rows: number;
  readonly layout: Layout;
  readonly polling: PollingState;
  /** Why automatic checks are not running, or null. */
  readonly pause: PauseReason | null;
  readonly banner: readonly Line[];
  readonly counted: StageCounts;
  readonly arrangement: Arrangement;
  readonly needs: () => ColumnNeeds;
  /** What displayed text depends on, such as the time and the zone. The same object until one of its fields changes. */
  readonly viewing: Required<Viewing>;
  /** All rows of the list, visible or not. */
  readonly listed: ShownList;
  /** The user's columns, or null for the default columns that fit. */
  readonly chosenColumns: readonly ParcelColumn[] | null;
  readonly tabs: readonly ViewTab[];
  readonly selection: Selection;
  readonly selected: Parcel | null;
  readonly marks: Marks;
  /** Null unless a heading is selected. */
  readonly heading: HeadingRow | null;
  readonly list: ListWindow;
  readonly timeline: VisibleText;
  /** What is shown instead of the panes, such as the help or setup, or null. */
  readonly overlay: ShownOverlay | null;
  readonly news: News;
  /** Expected deliveries, or null while they are not shown. */
  readonly arrivals: Arrivals | null;
  /** Null while the statistics are not shown. */
  readonly statistics: Statistics | null;
  readonly courierList: LoadedCouriers;
  /** Null while no found numbers are shown. */
  readonly scan: ShownScan | null;
  readonly matches: readonly Courier[];
  readonly scroll: Scroll;
}
