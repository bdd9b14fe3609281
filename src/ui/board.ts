import type { BoardBadge } from '../board/header/header.ts';
import type { StageCounts } from '../board/header/header-counts.ts';
import type { PauseReason } from '../board/header/pause-reason.ts';
import type { Arrangement } from '../board/list/arrange.ts';
import type { ColumnNeeds } from '../board/list/list-columns.ts';
import type { HeadingRow } from '../board/list/list-rows.ts';
import type { ListWindow } from '../board/list/list-window.ts';
import type { BoardSetup, Fact } from '../board/setup/board-setup.ts';
import type { SetupEffects } from '../board/setup/setup-effects.ts';
import type { GlyphSet, Line } from '../board/text/line.ts';
import type { Look } from '../board/text/paint.ts';
import type { AccountActions } from '../polling/account/account-actions.ts';
import type { ApplyAdditions } from '../polling/additions/apply-additions.ts';
import type { Monitor, MonitorState } from '../polling/core/state.ts';
import type { Suspension } from '../process/job-control.ts';
import type { NotificationSwitch } from '../process/notifications/notification-switch.ts';
import type { OpenPage } from '../process/open-page.ts';
import type { Clock, EpochMs } from '../service/clock/clock.ts';
import type { Zone } from '../service/clock/zone.ts';
import type { Courier } from '../service/record/record.ts';
import type { Parcel } from '../watchlist/model/parcel.ts';
import type { UsualStillness } from '../watchlist/rules/usual-stillness.ts';
import type { CourierDirectory } from '../watchlist/state/courier-directory.ts';
import type { PollingState } from '../watchlist/state/polling-state.ts';
import type { KeptView, ViewChanges } from '../watchlist/state/view-memory.ts';
import type { Clipboards, CopyText } from './copy/copy-text.ts';
import type { LineCommand } from './field/line-editor.ts';
import type { Focus } from './focus/terminal-focus.ts';
import type { Layout } from './layout.ts';
import type { Selection, ShownList } from './list/state.ts';
import type { Marks } from './marks/state.ts';
import type { News } from './news/news.ts';
import type { SeenAhead } from './opening/seen-ahead.ts';
import type { ShownOverlay } from './overlay/state.ts';
import type { Scroll } from './pane/scroll.ts';
import type { LoadedCouriers } from './picker/use-couriers.ts';
import type { ShownScan } from './scan/shown-scan.ts';
import type { FoundAlready } from './scan/state.ts';
import type { UiChange, UiState } from './state.ts';

/** What the program gives the board; nothing else is reached for. */
export interface BoardServices extends Look {
  readonly glyphs: GlyphSet;
  /** Loaded already. */
  readonly monitor: Monitor;
  readonly account: AccountActions;
  readonly couriers: CourierDirectory;
  readonly clock: Clock;
  /** The viewer's zone. */
  readonly zone: Zone;
  readonly badge: BoardBadge | null;
  /** What has just been taken over, to be said in passing; another object each time. */
  readonly news?: { readonly sentence: string } | null;
  readonly setup: BoardSetup;
  /** What the conversation that sets it up has done; null where nothing can be set up. */
  readonly setupEffects: SetupEffects | null;
  /** Whether it opens with that conversation, whatever is set already. */
  readonly opensSetup?: boolean;
  /** How the board was looked at last; it opens like that. */
  readonly view: KeptView;
  /** How it was looked at while its list was read; absent where nobody could. */
  readonly seenAhead?: SeenAhead;
  /** Remembers what of it has changed for the next start; see `keptViewOf`. */
  readonly keepView: (changes: ViewChanges) => void;
  /** Facts for the details that only the caller knows: base URL, files. */
  readonly facts: readonly Fact[];
  /** How far the service's clock is ahead of this machine's, in milliseconds; null while nothing is known. */
  readonly clockSkew: () => number | null;
  readonly openPage: OpenPage;
  /** Whether the title of the terminal's window is to say what matters. */
  readonly title: boolean;
  /** Null where no channel of notifications is set. */
  readonly notificationSwitch: NotificationSwitch | null;
  readonly clipboards: Clipboards;
  /** Null where there is no job control. */
  readonly suspension: Suspension | null;
  /** Whether the configuration has an extra for a courier that needs one. */
  readonly hasDefaultExtra: (courierCode: string) => boolean;
  /** How found numbers are added; absent where that is for the board to do, which polls. */
  readonly applyAdditions?: ApplyAdditions;
  /** Numbers that were found already: then only they are shown, and the screen ends with them. Absent on the board. */
  readonly foundAlready?: FoundAlready;
}

/** The board as it is drawn: the one bag for what panes, overlays and the handlers of their keys need. */
export interface Board extends Omit<BoardServices, 'zone' | 'applyAdditions' | 'news'> {
  readonly applyAdditions: ApplyAdditions;
  /** The viewer's zone. */
  readonly zone: Zone;
  /** The core's newest snapshot. */
  readonly state: MonitorState;
  readonly ui: UiState;
  readonly change: (change: UiChange) => void;
  /** Edits the line of the focused field; without one nothing happens. */
  readonly editLine: (command: LineCommand) => void;
  readonly quit: (reason?: 'quit' | 'interrupted') => void;
  readonly redraw: () => void;
  /** Whether the terminal has the focus, as it is drawn. */
  readonly terminalFocus: Focus;
  readonly copyText: CopyText;
  /** Whether notifications are silenced. */
  readonly isSilent: boolean;
  /** The instant that texts are written for. */
  readonly now: EpochMs;
  /** Cells of the terminal. */
  readonly columns: number;
  readonly rows: number;
  readonly layout: Layout;
  /** Polling as it is shown. */
  readonly polling: PollingState;
  /** Why nothing is checked by itself; null while it is. */
  readonly pause: PauseReason | null;
  /** Lines under the header that show a problem or a notice. */
  readonly banner: readonly Line[];
  /** Of all parcels, for the header and the title. */
  readonly counted: StageCounts;
  readonly arrangement: Arrangement;
  /** What the columns of the list need, computed when that is first asked. */
  readonly needs: () => ColumnNeeds;
  /** For how long parcels usually stand still. */
  readonly usual: UsualStillness;
  /** All rows of the list, in sight or not. */
  readonly listed: ShownList;
  readonly selection: Selection;
  readonly selected: Parcel | null;
  readonly marks: Marks;
  /** The selected heading; null when none is. */
  readonly heading: HeadingRow | null;
  readonly list: ListWindow;
  /** The lines of the timeline that are in sight. */
  readonly timeline: { readonly lines: readonly Line[]; readonly scroll: Scroll };
  /** A text in place of the panes: help, details, or how to set up; null when there is none. */
  readonly overlay: ShownOverlay | null;
  /** What has happened, as far as it is read. */
  readonly news: News;
  /** The couriers as far as they are loaded. */
  readonly courierList: LoadedCouriers;
  /** The numbers that were found in a text; null while they are not shown. */
  readonly scan: ShownScan | null;
  /** Couriers that the picker lists now. */
  readonly matches: readonly Courier[];
  /** What the movement keys move. */
  readonly scroll: Scroll;
}

/** What of a board is seen: all without what is done with it, and without what only opens later. */
export type SeenBoard = Omit<
  Board,
  | 'applyAdditions'
  | 'change'
  | 'copyText'
  | 'courierList'
  | 'editLine'
  | 'matches'
  | 'news'
  | 'quit'
  | 'redraw'
  | 'scroll'
  | 'terminalFocus'
>;
