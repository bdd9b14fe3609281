import { parcelTitle } from '../../board/status/view-stage.ts';
import { counted } from '../../board/text/counted.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { type CanShow, inBackground, showMessage } from '../footer/messages.ts';
import type { Binding } from '../keys/binding.ts';
import { onTargets, type TargetBoard } from '../list/targets.ts';
import { countWords } from '../parcel/act-on-parcels.ts';
import type { BoardServices } from '../services.ts';

/** The board, as far as the keys need it that mark parcels as read. */
interface ReadBoard extends CanShow, TargetBoard, Pick<BoardServices, 'monitor'> {}

/** Takes the marks off parcels; `undo` brings them back. */
function markRead(board: ReadBoard, parcels: readonly Parcel[], what: string): void {
  inBackground(board, async () => {
    await board.monitor.markRead(
      parcels.map(({ id }) => id),
      { undoable: true },
    );
    showMessage(board, `Marked ${what} as read.`, { advice: 'Press u to undo.' });
  });
}

const unreadOf = ({ state }: ReadBoard): readonly Parcel[] =>
  state.parcels.filter(({ unread }) => unread !== undefined);

/** The key that marks all parcels as read. */
export const markAllRead: Binding<ReadBoard> = {
  keys: ['M'],
  writes: true,
  description: 'Mark all parcels as read',
  disabled: (board) => (unreadOf(board).length === 0 ? 'Nothing is unread.' : null),
  run: (board) => {
    const unread = unreadOf(board);
    markRead(board, unread, counted(unread.length, 'parcel'));
  },
};

const readTargets = onTargets((board: ReadBoard, parcels) => {
  const unread = parcels.filter((parcel) => parcel.unread !== undefined);
  markRead(board, unread, countWords(unread));
});

/** Keys that mark parcels as read. */
export const readKeys: readonly Binding<ReadBoard>[] = [
  {
    keys: ['m'],
    writes: true,
    description: 'Mark the selected parcel as read, or all that are marked',
    ...readTargets,
    disabled: (board) => {
      const { marks, selected, state } = board;
      if (marks.ids.size > 0) {
        const hasUnread = state.parcels.some(({ id, unread }) => unread !== undefined && marks.ids.has(id));
        return hasUnread ? null : 'Nothing that is marked is unread.';
      }
      if (selected === null || selected.unread !== undefined) return readTargets.disabled?.(board) ?? null;
      return `${parcelTitle(selected)} has nothing unread.`;
    },
  },
  markAllRead,
];
