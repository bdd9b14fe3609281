import { newsTitle } from '../../board/news/news-row.ts';
import type { Board } from '../app/board.ts';
import { emptyEdit } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import { openHelp } from '../help/keys.ts';
import type { Binding, KeyGroup } from '../keys/binding.ts';
import { movementKeys } from '../keys/movement.ts';
import { withSelected } from '../list/state.ts';
import { showOverlay } from '../overlay/state.ts';
import { movedWithin } from '../pane/scroll.ts';
import { undoKey } from '../parcel/keys.ts';
import { markAllRead } from './read-keys.ts';
import { showNews } from './state.ts';

/** The key that opens the news. */
export const openNews: Binding<Board> = {
  keys: ['n'],
  hint: 'news',
  description: 'What has happened, newest first',
  run: ({ change, view }) => change((ui) => showNews(ui, view.seen?.seq ?? 0)),
};

function moveInNews({ change, news }: Board, by: number): void {
  const at = news.changes.findIndex(({ seq }) => seq === news.selectedSeq);
  const next = news.changes[movedWithin(at, by, news.changes.length - 1)];
  if (next !== undefined) change({ newsSelected: next.seq });
}

/** Selects the parcel of the selected change in the list, or in the archive. */
function goToParcel(board: Board): void {
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
const switchNewsTimes: Binding<Board> = {
  keys: ['t'],
  hint: 'times',
  description: 'Times: your zone, UTC',
  run: ({ change }) => change(({ timeMode }) => ({ timeMode: timeMode === 'utc' ? 'event' : 'utc' })),
};

/** Keys of the news. */
export const newsKeys: KeyGroup<Board['ui'], Board> = {
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
