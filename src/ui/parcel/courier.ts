import { courierNamer } from '../../service/record/courier-words.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { moveThreshold } from '../../watchlist/rules/confirmation-thresholds.ts';
import { inBackground } from '../footer/messages.ts';
import { couriersSoon } from '../picker/couriers.ts';
import { openPicker } from '../picker/state.ts';
import { actOnParcels, countWords } from './act-on-parcels.ts';
import type { ParcelBoard } from './parcel-board.ts';

/** More numbers than this have no form in common. */
const mostToLookAt = 20;

/** Opens the picker for the courier of parcels. What was rejected may need one: those that have such numbers are listed first. */
export function pickCourier(board: ParcelBoard, parcels: readonly Parcel[]): void {
  const take = (courierCode: string): void => moveToCourier(board, parcels, courierCode);
  board.change(openPicker({ take }));
  const rejected = parcels.filter(({ registration }) => registration === 'rejected').slice(0, mostToLookAt);
  if (rejected.length === 0) return;
  inBackground(board, async () => {
    const [{ likelyCouriers }, couriers] = await Promise.all([
      import('../../watchlist/scan/likely-couriers.ts'),
      couriersSoon(board),
    ]);
    const likely = [...new Set(rejected.flatMap(({ trackNo }) => likelyCouriers(trackNo, couriers)))];
    // What somebody has moved on to stays where it is.
    board.change(({ picker }) =>
      picker?.take === take && picker.index === 0 ? { picker: { ...picker, likely } } : {},
    );
  });
}

/** Moves parcels to another courier, here and at the service; after a question where that may cost several registrations. */
function moveToCourier(board: ParcelBoard, parcels: readonly Parcel[], courierCode: string): void {
  const name = courierNamer(board.courierList.couriers)(courierCode);
  let registeredAgain = 0;
  const move = (): void =>
    actOnParcels(board, parcels, {
      batchSize: 1,
      doing: (what) => `Moving ${what} to ${name}`,
      done: (what) => `Moved ${what} to ${name}${registeredAgain === 0 ? '' : `; ${registeredAgain} registered again`}`,
      act: async (batch) => {
        for (const { id } of batch) {
          const path = await board.account.changeCourier(id, courierCode);
          if (path === 'registered-again') registeredAgain += 1;
        }
        return new Map();
      },
    });
  if (parcels.length <= moveThreshold) {
    move();
    return;
  }
  const placeholder = `${countWords(parcels)} to ${name}? It may take up to ${parcels.length} registrations of the account. y/n`;
  board.change({ prompt: { name: 'courier', placeholder, edit: null, accept: move } });
}
