import { parcelTitle } from '../../board/status/view-stage.ts';
import { counted } from '../../board/text/counted.ts';
import { clockText } from '../../board/time/zone-time.ts';
import type { ChangePath } from '../../polling/account/account-actions.ts';
import type { RefreshOutcome } from '../../polling/core/state.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import { parseServiceTime } from '../../service/clock/service-clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from '../board.ts';
import { count, inBackground, runWithStatus, showMessage } from '../footer/messages.ts';
import { withSelected } from '../state.ts';

/** What came of a refresh, in words. */
export function refreshWords({ clock, monitor, zone }: Board, { answered, changed, rejected }: RefreshOutcome): string {
  const checked = answered.length + rejected.length;
  if (checked === 0) {
    const next = monitor.getState().polling.nextPollAt;
    return next === null ? 'Nothing is due.' : `Nothing is due; next check ${clockText(next, clock.now(), zone)}.`;
  }
  const refused = rejected.length === 0 ? '' : `, ${rejected.length} not accepted`;
  const news = changed.length === 0 ? 'no change' : `${changed.length} changed`;
  return `Checked ${count(checked, 'parcel', 'parcels')}: ${news}${refused}.`;
}

/** Checks one parcel now. */
export function refreshOne(board: Board, parcel: Parcel): void {
  runWithStatus(board, `Checking ${parcelTitle(parcel)}…`, async () =>
    refreshWords(board, await board.monitor.refresh([parcel.id])),
  );
}

/** Checks all that are due now. */
export function refreshDue(board: Board): void {
  const { calls, numbers } = board.monitor.costOf('due');
  const beginning =
    calls > 1 ? `Checking ${counted(numbers, 'parcel')} takes ${calls} calls…` : 'Checking all that are due…';
  runWithStatus(board, beginning, async () => refreshWords(board, await board.monitor.refreshDue()));
}

/** What was done, with how it reached the service. */
export function changeWords(path: ChangePath, what: string): string {
  return path === 'registered-again' ? `${what}; the number is registered again.` : `${what}.`;
}

/** The service queries a courier again for a user once in this time. */
const retrackIntervalMs = 6 * 60 * 60_000;

/** Lets the service query the courier again about a parcel. */
export function retrack(board: Board, parcel: Parcel): void {
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

/** Archives a parcel, or watches an archived one again; `undo` takes it back. */
export function archiveOrRestore(board: Board, parcel: Parcel): void {
  const { monitor } = board;
  const isArchived = parcel.archivedAt !== null;
  inBackground(board, async () => {
    await (isArchived ? monitor.restore(parcel.id) : monitor.archive(parcel.id));
    const name = parcelTitle(parcel);
    showMessage(board, isArchived ? `${name} is watched again.` : `Archived ${name}.`, { advice: 'Press u to undo.' });
  });
}

/** Takes back what was done last, and selects what came back. */
export function undo(board: Board): void {
  inBackground(board, async () => {
    const outcome = await board.monitor.undo();
    if (outcome === null) return;
    const [first] = outcome.parcelIds;
    if (first !== undefined) board.change((ui) => withSelected(ui, first, ui.selectedIndex));
    showMessage(board, outcome.message);
  });
}

/** Stops automatic checks, or lets them go on. */
export function togglePause(board: Board): void {
  const { monitor } = board;
  inBackground(board, async () => {
    if (monitor.getState().polling.paused) {
      await monitor.resume();
      showMessage(board, 'Resumed.');
    } else {
      await monitor.pause();
      showMessage(board, 'Automatic checks paused.', { advice: 'P resumes; r and R still work.' });
    }
  });
}
