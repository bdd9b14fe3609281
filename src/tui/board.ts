import type { Arrivals } from '../board/arrivals.ts';
import type { ParcelColumn } from '../board/columns.ts';
import type { CourierCheck, CourierReader, CourierSearch } from '../board/courier-search.ts';
import type { StageCounts } from '../board/header-parts.ts';
import type { PauseReason } from '../board/header-problem.ts';
import type { Arrangement } from '../board/list/arrange.ts';
import type { ColumnNeeds } from '../board/list/list-columns.ts';
import type { HeadingRow, ListRows, ListWindow } from '../board/list/list-rows.ts';
import type { NewsList, NewsWindow } from '../board/news-list.ts';
import type { JudgedRow } from '../board/scan/judge-rows.ts';
import type { CourierNames } from '../board/scan/row-words.ts';
import type { ScanCells, ScanWidths } from '../board/scan/scan-lines.ts';
import type { Statistics } from '../board/statistics.ts';
import type { Viewing } from '../board/status/status-now.ts';
import type { ViewTab } from '../board/view-tabs.ts';
import type { Clock, EpochMs } from '../lib/clock.ts';
import type { Line, Look } from '../lib/paint.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { ApplyAdditions } from '../polling/apply-additions.ts';
import type { CallCost } from '../polling/gate/call-rules.ts';
import type { MonitorState, PollingState } from '../polling/state.ts';
import type { Courier } from '../service/record.ts';
import type { ScreenServices } from '../settings/session/context.ts';
import type { OpenPage } from '../system/desktop.ts';
import type { Suspension } from '../system/process-life.ts';
import type { RunForOutput } from '../system/run-program.ts';
import type { LineCommand } from './field/text-edit.ts';
import type { Layout } from './layout.ts';
import type { Scroll, Span } from './pane/frame.ts';
import type { Clipboards, CopyText } from './terminal/clipboard.ts';
import type { Change, OpenScan, UiState } from './ui-state.ts';

/** Everything the board receives from the program. */
export interface BoardServices extends Look, ScreenServices {
  readonly clock: Clock;
  readonly openPage: OpenPage;
  /** Runs the user's commands. */
  readonly runForOutput: RunForOutput;
  readonly clipboards: Clipboards;
  /** Null without job control. */
  readonly suspension: Suspension | null;
}

export interface LoadedCouriers {
  readonly status: 'absent' | 'loading' | 'ready' | 'failed';
  readonly couriers: readonly Courier[];
  /** A sentence for the user, or null if it succeeded. */
  readonly problem: string | null;
  readonly search: CourierSearch;
  readonly check: CourierCheck;
  readonly read: CourierReader;
}

export interface Marks {
  readonly ids: ReadonlySet<string>;
  /** How many of them the list hides, for example by a filter. */
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
  /** Index among the stops, or of the next one. -1 in an empty list. */
  readonly index: number;
  /** Index among all listed parcels, including hidden ones, or -1. */
  readonly position: number;
}

export type OverlayName = 'help' | 'details' | 'setup' | 'news' | 'arrivals' | 'statistics' | 'scan' | 'output';

export interface ShownOverlay {
  readonly name: OverlayName;
  readonly lines: readonly Line[];
  readonly scroll: Scroll;
  /** All stops, visible or not. */
  readonly choices: readonly Choice[];
}

export interface Choice extends Span {
  /** Command words in the palette, if any. */
  readonly command?: { readonly name: string; readonly known: () => readonly string[] } | undefined;
  /** Why it is not possible now, or null. */
  readonly why: string | null;
  readonly run: () => void;
}

export interface News extends NewsList {
  /** Number of changes without the filter. */
  readonly total: number;
  readonly isLoading: boolean;
  /** Why they cannot be read, or null. */
  readonly problem: string | null;
  /** Number of the selected line, or null. */
  readonly selectedSeq: number | null;
  readonly window: NewsWindow;
}

export interface ShownScan extends OpenScan {
  readonly shown: readonly { readonly row: JudgedRow; readonly cells: ScanCells }[];
  readonly selected: JudgedRow | null;
  readonly needs: ScanWidths;
  readonly cost: CallCost;
  readonly names: CourierNames;
}

export interface TimelineInSight {
  readonly lines: readonly Line[];
  readonly scroll: Scroll;
}

/** Everything that panes draw and keys act on. */
export interface Board extends Omit<BoardServices, 'applyAdditions' | 'news'> {
  readonly applyAdditions: ApplyAdditions;
  /** The newest state of the core. */
  readonly state: MonitorState;
  readonly ui: UiState;
  readonly change: Change;
  /** Edits the line of the focused field, if there is one. */
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
  /** Why automatic checks are stopped, or null. */
  readonly pause: PauseReason | null;
  readonly banner: readonly Line[];
  readonly counted: StageCounts;
  readonly arrangement: Arrangement;
  readonly needs: () => ColumnNeeds;
  /** Time, zone and usual days without news for texts. The same object until one changes. */
  readonly viewing: Required<Viewing>;
  /** All rows of the list, visible or not. */
  readonly listed: ShownList;
  /** The user's columns. Null for the standard ones that fit. */
  readonly chosen: readonly ParcelColumn[] | null;
  readonly tabs: readonly ViewTab[];
  readonly selection: Selection;
  readonly selected: Parcel | null;
  readonly marks: Marks;
  /** Null unless a heading is selected. */
  readonly heading: HeadingRow | null;
  readonly list: ListWindow;
  readonly timeline: TimelineInSight;
  /** A text instead of the panes (help, details, set-up), or null. */
  readonly overlay: ShownOverlay | null;
  readonly news: News;
  /** Expected deliveries. Null while they are not open. */
  readonly arrivals: Arrivals | null;
  /** Null while they are not open. */
  readonly statistics: Statistics | null;
  readonly courierList: LoadedCouriers;
  /** Null while they are not shown. */
  readonly scan: ShownScan | null;
  readonly matches: readonly Courier[];
  readonly scroll: Scroll;
}
