import { newsTitle } from '../../board/news/news-row.ts';
import type { Change } from '../change.ts';
import { emptyEdit } from '../field/text-edit.ts';
import type { FocusState } from '../focus/state.ts';
import { showMessage } from '../footer/messages.ts';
import type { FooterState } from '../footer/state.ts';
import { openHelp } from '../help/keys.ts';
import type { HelpState } from '../help/state.ts';
import type { Binding, KeyGroup } from '../keys/binding.ts';
import { movementKeys, type Scrolled } from '../keys/movement.ts';
import { type FilterState, type SelectionState, withSelected } from '../list/state.ts';
import { type OverlayState, showOverlay } from '../overlay/state.ts';
import { movedWithin } from '../pane/scroll.ts';
import { undoKey } from '../parcel/keys.ts';
import type { ParcelBoard, ParcelUi } from '../parcel/parcel-board.ts';
import type { BoardServices } from '../services.ts';
import type { TimelineState } from '../timeline/state.ts';
import { markAllRead } from './read-keys.ts';
import { type NewsState, showNews } from './state.ts';
import type { News } from './use-news.ts';

/** What the keys of the news change. */
type NewsUi = FilterState & FocusState & FooterState & NewsState & OverlayState & SelectionState & TimelineState;

/** A board on which the news can be opened. */
interface NewsOpener extends Pick<BoardServices, 'view'> {
  readonly change: Change<NewsState & OverlayState>;
}

/** The board, as far as the keys of the news need it. */
interface NewsBoard extends ParcelBoard, Scrolled, Pick<BoardServices, 'view'> {
  readonly change: Change<HelpState & NewsUi & ParcelUi>;
  readonly news: News;
}

/** The key that opens the news. */
export const openNews: Binding<NewsOpener> = {
  keys: ['n'],
  hint: 'news',
  description: 'What has happened, newest first',
  run: ({ change, view }) => change((ui) => showNews(ui, view.seen?.seq ?? 0)),
};

function moveInNews({ change, news }: NewsBoard, by: number): void {
  const at = news.changes.findIndex(({ seq }) => seq === news.selectedSeq);
  const next = news.changes[movedWithin(at, by, news.changes.length - 1)];
  if (next !== undefined) change({ newsSelected: next.seq });
}

/** Selects the parcel of the selected change in the list, or in the archive. */
function goToParcel(board: NewsBoard): void {
  const { arrangement, change, news, state } = board;
  const selected = news.changes.find(({ seq }) => seq === news.selectedSeq);
  if (selected === undefined) return;
  const parcel = state.parcels.find(({ id }) => id === selected.parcelId);
  if (parcel === undefined) {
    showMessage(board, `${newsTitle(selected, state.parcels)} is not watched any more.`);
    return;
  }
  const { id } = parcel;
  const isListed = arrangement.order.includes(parcel);
  change((ui) => ({
    ...showOverlay(null),
    ...withSelected(ui, id, ui.selectedIndex),
    ...(isListed ? {} : { filter: emptyEdit }),
    focus: 'list',
  }));
}

/** The news have times of the viewer only, so the clocks of events are left out here. */
const switchNewsTimes: Binding<NewsBoard> = {
  keys: ['t'],
  hint: 'times',
  description: 'Times: your zone, UTC',
  run: ({ change }) => change(({ timeMode }) => ({ timeMode: timeMode === 'utc' ? 'event' : 'utc' })),
};

/** Keys of the news. */
export const newsKeys: KeyGroup<NewsUi, NewsBoard> = {
  context: 'news',
  title: 'News',
  isClosed: true,
  bindings: [
    ...movementKeys(moveInNews),
    {
      keys: ['enter', 'l', 'right'],
      hint: 'parcel',
      description: 'Go to the parcel',
      alwaysShown: true,
      disabled: ({ news }) => (news.selectedSeq === null ? 'Nothing has happened yet.' : null),
      run: goToParcel,
    },
    switchNewsTimes,
    markAllRead,
    undoKey,
    openHelp,
    {
      keys: ['escape', 'n', 'q'],
      hint: 'close',
      description: 'Close the news',
      alwaysShown: true,
      run: ({ change }) => change(showOverlay(null)),
    },
  ],
};
