import { deliveredBeforeToday } from '../../board/list/delivered-before.ts';
import { parcelTitle } from '../../board/status/view-stage.ts';
import { clockText } from '../../board/time/zone-time.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import { parseServiceTime } from '../../service/clock/service-clock.ts';
import { usualBatchLimit } from '../../service/operations.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { withForgotten } from '../add/state.ts';
import { inBackground, runWithStatus, showMessage } from '../footer/messages.ts';
import { withSelected } from '../list/state.ts';
import { actOnParcels, countWords, inOneWrite } from './act-on-parcels.ts';
import type { ParcelBoard } from './parcel-board.ts';

/** The service queries a courier again for a user once in this time. */
const retrackIntervalMs = 6 * 60 * 60_000;

/** Lets the service query the courier again about a parcel. */
export function retrack(board: ParcelBoard, parcel: Parcel): void {
  const name = parcelTitle(parcel);
  runWithStatus(board, `Asking the courier of ${name} again…`, async () => {
    const { accepted, actualRefreshTime, message } = await board.account.retrack(parcel.id);
    if (accepted) return `The courier of ${name} is asked again.`;
    const last = parseServiceTime(actualRefreshTime, board.monitor.getState().serviceClock);
    if (last === null) return `Not asked again: ${message ?? 'that is possible once in six hours'}.`;
    const timeOf = (at: EpochMs): string => clockText(at, board.clock.now(), board.zone);
    return `Already asked at ${timeOf(last)}. Possible again at ${timeOf(last + retrackIntervalMs)}.`;
  });
}

/** Archives parcels; where all of them are archived, watches them again. */
export function archiveOrRestore(board: ParcelBoard, parcels: readonly Parcel[]): void {
  const { monitor } = board;
  const watched = parcels.filter(({ archivedAt }) => archivedAt === null);
  if (watched.length > 0) {
    archive(board, watched);
    return;
  }
  actOnParcels(board, parcels, {
    done: (what, count) => `${what} ${count === 1 ? 'is' : 'are'} watched again`,
    act: (batch) => inOneWrite(board, batch, monitor.restoreAll),
  });
}

/** Archives what was delivered before today, marked or not. */
export function archiveDelivered(board: ParcelBoard): void {
  archive(board, deliveredBeforeToday(board.state.parcels, board), ', delivered before today');
}

function archive(board: ParcelBoard, parcels: readonly Parcel[], why = ''): void {
  actOnParcels(board, parcels, {
    done: (what) => `Archived ${what}${why}`,
    act: (batch) => inOneWrite(board, batch, board.monitor.archiveAll),
  });
}

/** Asks whether parcels are to be deleted here and at the service. */
export function promptDelete(board: ParcelBoard, parcels: readonly Parcel[]): void {
  const { unlisted } = board.marks;
  const hidden = unlisted === 0 ? '' : ` (${unlisted} not listed now)`;
  const what = parcels.length === 1 ? `${countWords(parcels)} and its history` : `${countWords(parcels)}${hidden}`;
  const remove = async (batch: readonly Parcel[]): Promise<ReadonlyMap<string, Error>> => {
    const failures = await board.account.deleteTogether(batch.map(({ id }) => id));
    board.change(withForgotten(batch.flatMap(({ id, trackNo }) => (failures.has(id) ? [] : [trackNo]))));
    return failures;
  };
  board.change({
    prompt: {
      name: 'delete',
      placeholder: `${what}, here and at the service? y/n`,
      edit: null,
      accept: () =>
        actOnParcels(board, parcels, {
          batchSize: usualBatchLimit,
          doing: (all) => `Deleting ${all}`,
          done: (deleted) => `Deleted ${deleted}`,
          act: remove,
        }),
    },
  });
}

/** Takes back what was done last, and selects what came back. */
export function undo(board: ParcelBoard): void {
  inBackground(board, async () => {
    const outcome = await board.monitor.undo();
    if (outcome === null) return;
    const [first] = outcome.parcelIds;
    if (first !== undefined) board.change((ui) => withSelected(ui, first, ui.selectedIndex));
    showMessage(board, outcome.message);
  });
}

/** Stops automatic checks, or lets them go on. */
export function togglePause(board: ParcelBoard): void {
  const { monitor } = board;
  inBackground(board, async () => {
    if (monitor.getState().polling.paused) {
      await monitor.resume();
      showMessage(board, 'Automatic checks resumed.');
    } else {
      await monitor.pause();
      showMessage(board, 'Automatic checks paused.', { advice: 'P resumes; r and R still work.' });
    }
  });
}
