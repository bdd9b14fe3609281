import { confirmThreshold } from '../../watchlist/rules/thresholds.ts';
import type { Board } from '../board.ts';
import { runWithStatus } from '../footer/messages.ts';
import { actOnSeveral, onEach } from '../marks/act-on-several.ts';
import { changeWords } from './actions.ts';

/** Moves parcels to another courier, here and at the service; after a question where that may cost many registrations. */
export function moveToCourier(board: Board, parcelIds: readonly string[], courierCode: string): void {
  const [only] = parcelIds;
  if (only !== undefined && board.marks.ids.size === 0) {
    moveOne(board, only, courierCode);
    return;
  }
  const wanted = new Set(parcelIds);
  const parcels = board.state.parcels.filter(({ id }) => wanted.has(id));
  const move = (): void =>
    actOnSeveral(board, parcels, {
      batchSize: 1,
      doing: `Changing the courier to ${courierCode}`,
      done: (what) => `${what} moved to ${courierCode}`,
      act: (batch) => onEach(batch, ({ id }) => board.account.changeCourier(id, courierCode)),
    });
  if (parcels.length <= confirmThreshold.board) {
    move();
    return;
  }
  const placeholder = `${parcels.length} parcels to ${courierCode}? It may take up to ${parcels.length} registrations of the account. y/n`;
  board.change({ prompt: { name: 'courier', placeholder, edit: null, accept: move } });
}

function moveOne(board: Board, parcelId: string, courierCode: string): void {
  runWithStatus(board, `Changing the courier to ${courierCode}…`, async () =>
    changeWords(await board.account.changeCourier(parcelId, courierCode), `The courier is ${courierCode} now`),
  );
}
