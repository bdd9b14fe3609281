import type { Parcel } from '../../watchlist/model/parcel.ts';
import { confirmThreshold } from '../../watchlist/rules/confirmation-thresholds.ts';
import type { Board } from '../board.ts';
import { actOnParcels, countWords } from './act-on-parcels.ts';

/** Moves parcels to another courier, here and at the service; after a question where that may cost many registrations. */
export function moveToCourier(board: Board, parcels: readonly Parcel[], courierCode: string): void {
  let registeredAgain = 0;
  const move = (): void =>
    actOnParcels(board, parcels, {
      batchSize: 1,
      doing: (what) => `Moving ${what} to ${courierCode}`,
      done: (what) =>
        `Moved ${what} to ${courierCode}${registeredAgain === 0 ? '' : `; ${registeredAgain} registered again`}`,
      act: async (batch) => {
        for (const { id } of batch) {
          const path = await board.account.changeCourier(id, courierCode);
          if (path === 'registered-again') registeredAgain += 1;
        }
        return new Map();
      },
    });
  if (parcels.length <= confirmThreshold.board) {
    move();
    return;
  }
  const placeholder = `${countWords(parcels)} to ${courierCode}? It may take up to ${parcels.length} registrations of the account. y/n`;
  board.change({ prompt: { name: 'courier', placeholder, edit: null, accept: move } });
}
