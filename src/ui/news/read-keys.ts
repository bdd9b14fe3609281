import { parcelTitle } from '../../board/status/view-stage.ts';
import { counted } from '../../board/text/counted.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from '../board.ts';
import { inBackground, showMessage } from '../footer/messages.ts';
import { type Binding, needsSelection, onSelected } from '../keys/binding.ts';

/** Takes the marks off parcels; `undo` brings them back. */
function markRead(board: Board, parcels: readonly Parcel[], what: string): void {
  inBackground(board, async () => {
    await board.monitor.markRead(
      parcels.map(({ id }) => id),
      { undoable: true },
    );
    showMessage(board, `Marked ${what} as read.`, { advice: 'Press u to undo.' });
  });
}

const unreadOf = ({ state }: Board): readonly Parcel[] => state.parcels.filter(({ unread }) => unread !== undefined);

/** The key that marks all parcels as read. */
export const markAllRead: Binding = {
  keys: ['M'],
  writes: true,
  description: 'Mark all parcels as read',
  disabled: (board) => (unreadOf(board).length === 0 ? 'Nothing is unread.' : null),
  run: (board) => {
    const unread = unreadOf(board);
    markRead(board, unread, counted(unread.length, 'parcel'));
  },
};

/** Keys that mark parcels as read. */
export const readKeys: readonly Binding[] = [
  {
    keys: ['m'],
    writes: true,
    description: 'Mark the selected parcel as read',
    ...onSelected((board, parcel) => markRead(board, [parcel], parcelTitle(parcel))),
    disabled: (board) => {
      const { selected } = board;
      if (selected === null || selected.unread !== undefined) return needsSelection(board);
      return `${parcelTitle(selected)} has nothing unread.`;
    },
  },
  markAllRead,
];
