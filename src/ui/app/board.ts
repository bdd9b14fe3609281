import type { StageCounts } from '../../board/header/header-counts.ts';
import type { PauseReason } from '../../board/header/pause-reason.ts';
import type { Arrangement } from '../../board/list/arrange.ts';
import type { ColumnNeeds } from '../../board/list/list-columns.ts';
import type { HeadingRow } from '../../board/list/list-rows.ts';
import type { ListWindow } from '../../board/list/list-window.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import type { Line } from '../../board/text/line.ts';
import type { ApplyAdditions } from '../../polling/additions/apply-additions.ts';
import type { MonitorState } from '../../polling/core/state.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { Courier } from '../../service/record/record.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { PollingState } from '../../watchlist/state/polling-state.ts';
import type { Change } from '../change.ts';
import type { LineCommand } from '../field/line-editor.ts';
import type { Layout } from '../layout.ts';
import type { Marks } from '../list/marks.ts';
import type { Selection, ShownList } from '../list/state.ts';
import type { News } from '../news/use-news.ts';
import type { ShownOverlay } from '../overlay/state.ts';
import type { Scroll } from '../pane/scroll.ts';
import type { LoadedCouriers } from '../picker/couriers.ts';
import type { ShownScan } from '../scan/state.ts';
import type { BoardServices } from '../services.ts';
import type { CopyText } from '../terminal/copy-text.ts';
import type { TimelineInSight } from '../timeline/timeline-text.ts';
import type { UiState } from './state.ts';

/** The board as it is drawn: the one bag for what panes, overlays and the handlers of their keys need. */
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
  /** The lines of the timeline that are in sight. */
  readonly timeline: TimelineInSight;
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
