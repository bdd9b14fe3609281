import { courierPage, matchCourier, severalCouriers, trackingLink } from '../../board/courier-name.ts';
import { deliveredBeforeToday } from '../../board/list/arrange.ts';
import { parcelTitle } from '../../board/status/stage.ts';
import { clockText } from '../../board/time/zone-time.ts';
import { cut } from '../../lib/cells.ts';
import type { EpochMs } from '../../lib/clock.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { moveThreshold } from '../../polling/gate/call-rules.ts';
import { courierNamer } from '../../service/couriers.ts';
import { defaultBatchLimit } from '../../service/port.ts';
import { parseServiceTime } from '../../service/service-clock.ts';
import { forgetNumbers } from '../add/state.ts';
import type { Board } from '../board.ts';
import { inBackground, runWithStatus, showMessage } from '../footer/messages.ts';
import { showOverlay } from '../help/keys.ts';
import { withSelected } from '../list/state.ts';
import { couriersSoon, openPicker } from '../picker/couriers.ts';
import { actOnParcels, countText, inOneWrite } from './act-on-parcels.ts';

/** Minimum time between two updates from the courier, in milliseconds. */
const retrackIntervalMs = 6 * 60 * 60_000;

/** Asks the service to query the courier again. */
export function retrack(board: Board, parcel: Parcel): void {
  const name = parcelTitle(parcel);
  runWithStatus(board, `Asking the courier for an update on ${name}…`, async () => {
    const { accepted, actualRefreshTime, message } = await board.account.retrack(parcel.id);
    if (accepted) return `Asked the courier for an update on ${name}.`;
    const last = parseServiceTime(actualRefreshTime, board.monitor.getState().serviceClock);
    if (last === null)
      return message === null ? 'Not sent. You can ask only once every six hours.' : `Not sent: ${message}.`;
    const timeOf = (at: EpochMs): string => clockText(at, board.clock.now(), board.zone);
    return `Already asked at ${timeOf(last)}. Try again at ${timeOf(last + retrackIntervalMs)}.`;
  });
}

/** Archives parcels, or restores them if all are archived. */
export function archiveOrRestore(board: Board, parcels: readonly Parcel[]): void {
  const { monitor } = board;
  const watched = parcels.filter(({ archivedAt }) => archivedAt === null);
  if (watched.length > 0) {
    archive(board, watched);
    return;
  }
  actOnParcels(board, parcels, {
    done: (what, count) => `${what} ${count === 1 ? 'is' : 'are'} back on the list`,
    act: (batch) => inOneWrite(board, batch, monitor.restoreAll),
  });
}

/** Archives all parcels that were delivered before today, marked or not. */
export function archiveDelivered(board: Board): void {
  archive(board, deliveredBeforeToday(board.state.parcels, board), ', delivered before today');
}

function archive(board: Board, parcels: readonly Parcel[], why = ''): void {
  actOnParcels(board, parcels, {
    done: (what) => `Archived ${what}${why}`,
    act: (batch) => inOneWrite(board, batch, board.monitor.archiveAll),
  });
}

export function promptDelete(board: Board, parcels: readonly Parcel[]): void {
  const { unlisted } = board.marks;
  const hidden = unlisted === 0 ? '' : ` (${unlisted} hidden)`;
  const what = parcels.length === 1 ? `${countText(parcels)} and its history` : `${countText(parcels)}${hidden}`;
  const remove = async (batch: readonly Parcel[]): Promise<ReadonlyMap<string, Error>> => {
    const failures = await board.account.deleteTogether(batch.map(({ id }) => id));
    board.change(forgetNumbers(batch.flatMap(({ id, trackNo }) => (failures.has(id) ? [] : [trackNo]))));
    return failures;
  };
  board.change({
    prompt: {
      name: 'delete',
      placeholder: `${what}, here and at the service? y/n`,
      edit: null,
      accept: () =>
        actOnParcels(board, parcels, {
          batchSize: defaultBatchLimit,
          progressText: (all) => `Deleting ${all}`,
          done: (deleted) => `Deleted ${deleted}`,
          act: remove,
        }),
    },
  });
}

export const undo = (board: Board): void => stepBack(board, 'undo');
export const redo = (board: Board): void => stepBack(board, 'redo');

/** Maximum width of a step's description, in cells, so that the footer does not truncate it. */
const maxNextCells = 32;

/** Undoes or redoes a step. The message also says what both keys would do next. */
function stepBack(board: Board, which: 'redo' | 'undo'): void {
  inBackground(board, async () => {
    const { monitor } = board;
    const outcome = await monitor[which]();
    if (outcome === null) return;
    const [first] = outcome.parcelIds;
    if (first !== undefined) board.change((ui) => withSelected(ui, first, ui.selectedIndex));
    const { redoable, undoable } = monitor.getState();
    const next = [
      ...(undoable === null ? [] : [`u undoes ${cut(undoable, maxNextCells)}`]),
      ...(redoable === null ? [] : [`Ctrl+r redoes ${cut(redoable, maxNextCells)}`]),
    ];
    showMessage(board, outcome.message, next.length === 0 ? {} : { advice: `${next.join(', ')}.` });
  });
}

export function showUndoList({ change, monitor }: Board): void {
  const { redo: redone, undo: undone } = monitor.undoList();
  const listed = (title: string, steps: readonly string[]): readonly string[] =>
    steps.length === 0 ? [] : [title, ...steps.map((step, at) => `${String(at + 1).padStart(4)}  ${step}`), ''];
  const lines = [...listed('u undoes in this order:', undone), ...listed('Ctrl+r redoes in this order:', redone)];
  const text = lines.length === 0 ? 'Nothing to undo.' : lines.join('\n');
  change({ ...showOverlay('output'), output: { title: 'Undo', text } });
}

export function togglePause(board: Board): void {
  const { monitor } = board;
  inBackground(board, async () => {
    if (monitor.getState().polling.paused) {
      await monitor.resume();
      showMessage(board, 'Automatic checks resumed.');
    } else {
      await monitor.pause();
      showMessage(board, 'Automatic checks paused.', { advice: 'Press P to resume; r and R still work.' });
    }
  });
}

/** More numbers than this are unlikely to have a common format. */
const maxNumbersToMatch = 20;

/** Opens the courier picker. For rejected parcels, couriers with a matching number format come first. */
export function pickCourier(board: Board, parcels: readonly Parcel[]): void {
  const take = (courierCode: string): void => moveToCourier(board, parcels, courierCode);
  board.change(openPicker({ take }));
  const rejected = parcels.filter(({ registration }) => registration === 'rejected').slice(0, maxNumbersToMatch);
  if (rejected.length === 0) return;
  inBackground(board, async () => {
    const [{ likelyCouriers }, couriers] = await Promise.all([import('../../scan/couriers.ts'), couriersSoon(board)]);
    const likely = [...new Set(rejected.flatMap(({ trackNo }) => likelyCouriers(trackNo, couriers)))];
    // Reorders the couriers only if the user has not moved the selection yet.
    board.change(({ picker }) =>
      picker?.take === take && picker.index === 0 ? { picker: { ...picker, likely } } : {},
    );
  });
}

/** Moves parcels to a courier, here and at the service. Asks first if this may cost several registrations. */
function moveToCourier(board: Board, parcels: readonly Parcel[], courierCode: string): void {
  const name = courierNamer(board.courierList.couriers)(courierCode);
  let registeredAgain = 0;
  const move = (): void =>
    actOnParcels(board, parcels, {
      batchSize: 1,
      progressText: (what) => `Changing the courier of ${what} to ${name}`,
      done: (what) =>
        `Changed the courier of ${what} to ${name}${registeredAgain === 0 ? '' : `; ${registeredAgain} registered again`}`,
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
  const placeholder = `Move ${countText(parcels)} to ${name}? This uses up to ${parcels.length} registrations. y/n`;
  board.change({ prompt: { name: 'courier', placeholder, edit: null, accept: move } });
}

/** Moves parcels to a courier that is given by its code or name. */
export function moveToNamedCourier(board: Board, parcels: readonly Parcel[], name: string): void {
  inBackground(board, async () => {
    const meant = matchCourier(name, await couriersSoon(board));
    if (meant.kind === 'one') moveToCourier(board, parcels, meant.code);
    else if (meant.kind === 'several') showMessage(board, severalCouriers(name, meant.codes), { tone: 'attention' });
    else showMessage(board, `No courier matches "${name}". Press c to choose one.`, { tone: 'attention' });
  });
}

const noticePrefix = 'Courier page';

/** Opens the courier page, or shows its address. */
export function openCourierPage(board: Board, parcel: Parcel): void {
  inBackground(board, async () => {
    const page = courierPage(parcel);
    if (page === null) {
      showMessage(board, 'The courier page is not known yet.');
      return;
    }
    const why = await board.openPage(page);
    if (why === null) {
      const what = trackingLink(parcel) === null ? "the courier's home page" : 'the courier page';
      showMessage(board, `Opened ${what}.`);
      return;
    }
    const before = board.monitor.getState().notices.find((notice) => notice.startsWith(noticePrefix));
    board.monitor.notifyBriefly(`${noticePrefix}: ${page} (${why})`, before);
  });
}
