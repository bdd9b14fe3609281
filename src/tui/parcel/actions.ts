import { ambiguousCourierMessage, matchCourier } from '../../board/courier-name.ts';
import { deliveredBeforeToday } from '../../board/list/arrange.ts';
import { courierPage, parcelTitle, trackingLink } from '../../board/parcel-facts.ts';
import { clockText } from '../../board/time.ts';
import { cut } from '../../lib/cells.ts';
import type { EpochMs } from '../../lib/clock.ts';
import { counted } from '../../lib/text.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { isBeingIndexed } from '../../parcels/parcel-state.ts';
import { confirmThreshold, moveThreshold } from '../../polling/gate/call-rules.ts';
import type { RefreshOutcome } from '../../polling/state.ts';
import { courierNamer } from '../../service/couriers.ts';
import { defaultBatchLimit } from '../../service/port.ts';
import { parseServiceTime } from '../../service/service-clock.ts';
import { forgetNumbers } from '../add/entries.ts';
import type { Board } from '../board.ts';
import { openPicker, waitForCouriers } from '../courier-picker.ts';
import { inBackground, runWithStatus, showMessage, showProblem } from '../footer.ts';
import { showOverlay } from '../help/keys.ts';
import { removeMarks } from '../list/keys.ts';
import { selectParcel } from '../list/state.ts';
import { askToConfirm } from '../prompt.ts';
import { actInOneWrite, actOnParcels, describeParcels, listNames } from './act-on-parcels.ts';

/** Minimum time between two requests for an update from the courier, in milliseconds. */
const retrackIntervalMs = 6 * 60 * 60_000;

/** Asks the service to query the courier again. */
export function retrack(board: Board, parcel: Parcel): void {
  const name = parcelTitle(parcel);
  runWithStatus(board, `Asking the courier for an update on ${name}…`, async () => {
    const { accepted, actualRefreshTime, message } = await board.account.retrack(parcel.id);
    if (accepted) return `Asked the courier for an update on ${name}.`;
    const lastRequestAt = parseServiceTime(actualRefreshTime, board.monitor.getState().serviceClock);
    if (lastRequestAt === null)
      return message === null ? 'Not sent. You can ask only once every six hours.' : `Not sent: ${message}.`;
    const formatTime = (at: EpochMs): string => clockText(at, board.clock.now(), board.zone);
    return `Already asked at ${formatTime(lastRequestAt)}. Try again at ${formatTime(lastRequestAt + retrackIntervalMs)}.`;
  });
}

/** Archives parcels, or restores them if all are archived. */
export function archiveOrRestore(board: Board, parcels: readonly Parcel[]): void {
  const watched = parcels.filter(({ archivedAt }) => archivedAt === null);
  if (watched.length > 0) archive(board, watched);
  else
    actOnParcels(board, parcels, {
      doneText: (what, count) => `${what} ${count === 1 ? 'is' : 'are'} back on the list`,
      act: (batch) => actInOneWrite(board, batch, board.monitor.restoreAll),
    });
}

/** Archives all parcels that were delivered before today, marked or not. */
export function archiveDelivered(board: Board): void {
  archive(board, deliveredBeforeToday(board.state.parcels, board), ', delivered before today');
}

function archive(board: Board, parcels: readonly Parcel[], why = ''): void {
  actOnParcels(board, parcels, {
    doneText: (what) => `Archived ${what}${why}`,
    act: (batch) => actInOneWrite(board, batch, board.monitor.archiveAll),
  });
}

export function promptDelete(board: Board, parcels: readonly Parcel[]): void {
  const { unlisted } = board.marks;
  const hidden = unlisted === 0 ? '' : ` (${unlisted} hidden)`;
  const what =
    parcels.length === 1 ? `${describeParcels(parcels)} and its history` : `${describeParcels(parcels)}${hidden}`;
  const remove = async (batch: readonly Parcel[]): Promise<ReadonlyMap<string, Error>> => {
    const failures = await board.account.deleteTogether(batch.map(({ id }) => id));
    board.change(forgetNumbers(batch.flatMap(({ id, trackNo }) => (failures.has(id) ? [] : [trackNo]))));
    return failures;
  };
  askToConfirm(board, 'delete', `${what}, here and at the service? y/n`, () =>
    actOnParcels(board, parcels, {
      batchSize: defaultBatchLimit,
      progressText: (all) => `Deleting ${all}`,
      doneText: (deleted) => `Deleted ${deleted}`,
      act: remove,
    }),
  );
}

/** Maximum width of a step's description, in cells, so that the footer does not truncate it. */
const maxStepCells = 32;

/** Undoes or redoes a step. The message also says what both keys would do next. */
export function undoOrRedo(board: Board, which: 'redo' | 'undo'): void {
  inBackground(board, async () => {
    const { monitor } = board;
    const outcome = await monitor[which]();
    if (outcome === null) return;
    const [first] = outcome.parcelIds;
    if (first !== undefined) board.change((ui) => selectParcel(ui, first, ui.selectedIndex));
    const { redoable, undoable } = monitor.getState();
    const next = [
      ...(undoable === null ? [] : [`u undoes ${cut(undoable, maxStepCells)}`]),
      ...(redoable === null ? [] : [`Ctrl+r redoes ${cut(redoable, maxStepCells)}`]),
    ];
    showMessage(board, outcome.message, next.length === 0 ? {} : { advice: `${next.join(', ')}.` });
  });
}

export function showUndoList({ change, monitor }: Board): void {
  const { redo: redone, undo: undone } = monitor.undoList();
  const formatSteps = (title: string, steps: readonly string[]): readonly string[] =>
    steps.length === 0 ? [] : [title, ...steps.map((step, at) => `${String(at + 1).padStart(4)}  ${step}`), ''];
  const lines = [
    ...formatSteps('u undoes in this order:', undone),
    ...formatSteps('Ctrl+r redoes in this order:', redone),
  ];
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
  const onChoose = (courierCode: string): void => moveToCourier(board, parcels, courierCode);
  board.change(openPicker({ onChoose }));
  const rejected = parcels.filter(({ registration }) => registration === 'rejected').slice(0, maxNumbersToMatch);
  if (rejected.length === 0) return;
  inBackground(board, async () => {
    const [{ likelyCouriers }, couriers] = await Promise.all([
      import('../../scan/couriers.ts'),
      waitForCouriers(board),
    ]);
    const likely = [...new Set(rejected.flatMap(({ trackNo }) => likelyCouriers(trackNo, couriers)))];
    // Reorders the couriers only if the user has not moved the selection yet.
    board.change(({ picker }) =>
      picker?.onChoose === onChoose && picker.index === 0 ? { picker: { ...picker, likely } } : {},
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
      doneText: (what) =>
        `Changed the courier of ${what} to ${name}${registeredAgain === 0 ? '' : `; ${registeredAgain} registered again`}`,
      act: async (batch) => {
        for (const { id } of batch) {
          const path = await board.account.changeCourier(id, courierCode);
          if (path === 'registered-again') registeredAgain += 1;
        }
        return new Map();
      },
    });
  const question = `Move ${describeParcels(parcels)} to ${name}? This uses up to ${parcels.length} registrations. y/n`;
  if (parcels.length <= moveThreshold) move();
  else askToConfirm(board, 'courier', question, move);
}

/** Moves parcels to the courier with this code or name. */
export function moveToNamedCourier(board: Board, parcels: readonly Parcel[], name: string): void {
  inBackground(board, async () => {
    const match = matchCourier(name, await waitForCouriers(board));
    if (match.kind === 'one') moveToCourier(board, parcels, match.code);
    else if (match.kind === 'several') showProblem(board, ambiguousCourierMessage(name, match.codes));
    else showProblem(board, `No courier matches "${name}". Press c to choose one.`);
  });
}

const noticePrefix = 'Courier page';

/** Opens the courier page, or shows its address. */
export function openCourierPage(board: Board, parcel: Parcel): void {
  inBackground(board, async () => {
    const page = courierPage(parcel);
    const openProblem = page === null ? null : await board.openPage(page);
    if (page === null) showMessage(board, 'The courier page is not known yet.');
    else if (openProblem === null) {
      const what = trackingLink(parcel) === null ? "the courier's home page" : 'the courier page';
      showMessage(board, `Opened ${what}.`);
    } else {
      const previousNotice = board.monitor.getState().notices.find((notice) => notice.startsWith(noticePrefix));
      board.monitor.notifyBriefly(`${noticePrefix}: ${page} (${openProblem})`, previousNotice);
    }
  });
}

function refreshText({ clock, monitor, zone }: Board, outcome: RefreshOutcome): string {
  const { changed, rejected } = outcome;
  const checked = checkedCount(outcome);
  if (checked === 0) {
    const next = monitor.getState().polling.nextPollAt;
    return next === null ? 'All up to date.' : `All up to date. Next check ${clockText(next, clock.now(), zone)}.`;
  }
  const failed = rejected.length === 0 ? '' : `, ${rejected.length} rejected`;
  const changedText = changed.length === 0 ? 'no change' : `${changed.length} changed`;
  return `Checked ${counted(checked, 'parcel')}: ${changedText}${failed}.`;
}

const checkedCount = ({ answered, rejected }: RefreshOutcome): number => answered.length + rejected.length;

export function refreshDue(board: Board): void {
  const { calls, numbers } = board.monitor.costOf('due');
  const startText =
    calls > 1 ? `Checking ${counted(numbers, 'parcel')} in ${calls} calls…` : 'Checking all due parcels…';
  showMessage(board, startText);
  inBackground(board, async () => {
    const outcome = await board.monitor.refreshDue();
    showOutcome(board, outcome, []);
  });
}

export function refresh(board: Board, parcels: readonly Parcel[]): void {
  const { calls, numbers, registrations } = board.monitor.costOf(parcels.map(({ id }) => id));
  const cost = `${counted(registrations, 'registration')} and ${counted(calls, 'call')}`;
  const question = `Check ${numbers} parcels? This uses ${cost}. y/n`;
  if (numbers === 0) showMessage(board, 'Archived parcels are not checked. Press x to restore them.');
  else if (registrations <= confirmThreshold.board) refreshNow(board, parcels);
  else askToConfirm(board, 'refresh', question, () => refreshNow(board, parcels));
}

function refreshNow(board: Board, parcels: readonly Parcel[]): void {
  const { change, marks, monitor } = board;
  // Ends the range, keeping its parcels marked.
  change({ marked: marks.ids, rangeStartId: null });
  showMessage(board, `Checking ${describeParcels(parcels)}…`);
  inBackground(board, async () => {
    const outcome = await monitor.refresh(parcels.map(({ id }) => id));
    const failed = marks.ids.size === 0 ? [] : uncheckedParcels(board, parcels, outcome);
    const failedParcels = new Set(failed);
    change(removeMarks(parcels.filter((parcel) => !failedParcels.has(parcel))));
    showOutcome(board, outcome, failed);
  });
}

/** Shows how many parcels were checked, and why others were not. */
function showOutcome(board: Board, outcome: RefreshOutcome, stillMarked: readonly Parcel[]): void {
  const { failure } = outcome;
  const sentences = [
    failure !== null && checkedCount(outcome) === 0 ? null : refreshText(board, outcome),
    stillMarked.length === 0 ? null : `Still marked: ${listNames(stillMarked)}.`,
    failure?.message ?? null,
  ].filter((sentence) => sentence !== null);
  const tone = failure === null && stillMarked.length === 0 ? 'plain' : 'attention';
  showMessage(board, sentences.join(' '), { tone });
}

/** Returns the parcels that were rejected or failed, and those without a response if the check was incomplete. */
function uncheckedParcels(
  { monitor }: Board,
  parcels: readonly Parcel[],
  { answered, failure, rejected }: RefreshOutcome,
): readonly Parcel[] {
  const answeredIds = new Set(answered);
  const rejectedIds = new Set(rejected);
  const currentParcels = new Map(monitor.getState().parcels.map((parcel) => [parcel.id, parcel]));
  return parcels.filter(({ id }) => {
    if (rejectedIds.has(id)) return true;
    const parcel = currentParcels.get(id);
    if (parcel === undefined || answeredIds.has(id) || parcel.archivedAt !== null) return false;
    return failure !== null || (parcel.error !== null && !isBeingIndexed(parcel));
  });
}
