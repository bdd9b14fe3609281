import { completeFilter } from '../../board/filter-typing.ts';
import { newsTitle } from '../../board/news-list.ts';
import { parcelTitle } from '../../board/parcel-facts.ts';
import { counted } from '../../lib/text.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { Board } from '../board.ts';
import { filterFieldKeys, wholeFilterProblem } from '../filter.ts';
import { inBackground, showMessage } from '../footer.ts';
import { openHelp, showOverlay } from '../help/keys.ts';
import { type Binding, type EditedText, type KeyGroup, movementKeys } from '../keys/binding.ts';
import { moveWithin } from '../layout.ts';
import { onTargets } from '../list/keys.ts';
import { selectParcel } from '../list/state.ts';
import { describeParcels } from '../parcel/act-on-parcels.ts';
import { undoKey } from '../parcel/keys.ts';
import { createEdit, emptyEdit } from '../text-edit.ts';
import { toggleEnglish } from '../timeline/keys.ts';
import type { UiState } from '../ui-state.ts';

/** Marks parcels as read. The user can undo this. */
function markAsRead(board: Board, parcels: readonly Parcel[], what: string): void {
  inBackground(board, async () => {
    await board.monitor.markRead(
      parcels.map(({ id }) => id),
      { undoable: true },
    );
    showMessage(board, `Marked ${what} as read.`, { advice: 'Press u to undo.' });
  });
}

const unreadParcels = ({ state }: Board): readonly Parcel[] =>
  state.parcels.filter(({ unread }) => unread !== undefined);

export const markAllRead: Binding = {
  id: 'mark-all-read',
  keys: ['M'],
  writes: true,
  description: 'Mark all parcels as read',
  disabled: (board) => (unreadParcels(board).length === 0 ? 'There is nothing new.' : null),
  run: (board) => {
    const unread = unreadParcels(board);
    markAsRead(board, unread, counted(unread.length, 'parcel'));
  },
};

const readTargets = onTargets((board: Board, parcels) => {
  const unread = parcels.filter((parcel) => parcel.unread !== undefined);
  markAsRead(board, unread, describeParcels(unread));
});

export const markRead: Binding = {
  id: 'mark-read',
  keys: ['m'],
  writes: true,
  description: 'Mark as read',
  ...readTargets,
  disabled: (board) => {
    const { marks, selected, state } = board;
    if (marks.ids.size > 0) {
      const hasUnread = state.parcels.some(({ id, unread }) => unread !== undefined && marks.ids.has(id));
      return hasUnread ? null : 'The marked parcels have nothing new.';
    }
    if (selected === null || selected.unread !== undefined) return readTargets.disabled?.(board) ?? null;
    return `${parcelTitle(selected)} has nothing new.`;
  },
};

/**
 * Opens the news at the top.
 * @param seenSeq the newest change that the user has seen, used when the news is opened for the first time
 */
function showNews({ newsSeq }: Pick<UiState, 'newsSeq'>, seenSeq: number): Partial<UiState> {
  return { ...showOverlay('news'), newsSelected: null, newsAfter: newsSeq ?? seenSeq };
}

export const openNews: Binding = {
  id: 'news',
  keys: ['n'],
  hint: 'news',
  description: 'News: all changes',
  run: ({ change, view }) => change((ui) => showNews(ui, view.seen?.seq ?? 0)),
};

function moveInNews({ change, news }: Board, by: number): void {
  const at = news.changes.findIndex(({ seq }) => seq === news.selectedSeq);
  const next = news.changes[moveWithin(at, by, news.changes.length - 1)];
  if (next !== undefined) change({ newsSelected: next.seq });
}

function goToParcel(board: Board): void {
  const { arrangement, change, news, state } = board;
  const selected = news.changes.find(({ seq }) => seq === news.selectedSeq);
  if (selected === undefined) return;
  const parcel = state.parcels.find(({ id }) => id === selected.parcelId);
  if (parcel === undefined) {
    showMessage(board, `${newsTitle(selected, state.parcels)} is no longer on the list.`);
    return;
  }
  const { id } = parcel;
  const isListed = arrangement.order.includes(parcel);
  change((ui) => ({
    ...showOverlay(null),
    ...selectParcel(ui, id, ui.selectedIndex),
    ...(isListed ? {} : { filter: emptyEdit }),
    focus: 'list',
  }));
}

/** Sets the filter and selects the newest matching change. */
const setNewsFilter = (newsFilter: UiState['newsFilter']): Partial<UiState> => ({ newsFilter, newsSelected: null });

const newsFilterText: EditedText = {
  read: ({ newsFilter }) => newsFilter,
  write: ({ newsFilter }, edit) => (edit.text === newsFilter.text ? { newsFilter: edit } : setNewsFilter(edit)),
  complete: ({ state, ui }) => completeFilter(ui.newsFilter.text, ui.newsFilter.cursor, state.parcels),
};

export const newsFilterKeys: KeyGroup = {
  context: 'news-filter',
  title: 'News filter',
  isClosed: true,
  text: newsFilterText,
  bindings: filterFieldKeys('news', newsFilterText, {
    apply: (board) => {
      const { text } = board.ui.newsFilter;
      const message = wholeFilterProblem(text, board);
      board.change({ newsFilter: createEdit(text.trimEnd()), isNewsFilterTyped: message !== null, message });
    },
    clear: ({ change }) => change({ ...setNewsFilter(emptyEdit), isNewsFilterTyped: false }),
    move: moveInNews,
  }),
};

/** In the news, times are only in the user's zone or in UTC. */
const switchNewsTimes: Binding = {
  id: 'times',
  keys: ['t'],
  hint: 'times',
  description: 'Times: your zone, UTC',
  run: ({ change }) => change(({ timeMode }) => ({ timeMode: timeMode === 'utc' ? 'event' : 'utc' })),
};

export const newsKeys: KeyGroup = {
  context: 'news',
  title: 'News',
  isClosed: true,
  bindings: [
    ...movementKeys(moveInNews),
    {
      id: 'open',
      keys: ['enter', 'l', 'right'],
      hint: 'parcel',
      description: 'Go to the parcel',
      alwaysShown: true,
      disabled: ({ news }) => (news.selectedSeq === null ? 'Nothing has happened yet.' : null),
      run: goToParcel,
    },
    {
      id: 'filter',
      keys: ['/'],
      hint: 'filter',
      description: 'Filter by text or terms',
      opensField: true,
      run: ({ change }) => change({ isNewsFilterTyped: true }),
    },
    {
      id: 'news-grouping',
      keys: ['s'],
      hint: ({ ui }) => (ui.newsGrouping === 'day' ? 'by parcel' : 'by day'),
      description: 'Group by parcel, or by day',
      synonyms: ['order', 'group'],
      run: ({ change }) => change(({ newsGrouping }) => ({ newsGrouping: newsGrouping === 'day' ? 'parcel' : 'day' })),
    },
    switchNewsTimes,
    toggleEnglish,
    markAllRead,
    undoKey,
    openHelp,
    {
      id: 'close',
      keys: ['escape', 'n', 'q'],
      hint: 'close',
      description: 'Close the news; Esc clears the filter first',
      alwaysShown: true,
      run: ({ change, ui }, _times, which) =>
        change(which === 0 && ui.newsFilter.text !== '' ? setNewsFilter(emptyEdit) : showOverlay(null)),
    },
  ],
};
