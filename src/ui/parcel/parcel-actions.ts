import { parcelTitle } from '../../board/status/view-stage.ts';
import type { ChangePath } from '../../polling/account/account-actions.ts';
import type { RefreshOutcome } from '../../polling/core/state.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { type ActionScope, count, inBackground, tellOutcome, told } from '../action-scope.ts';

function refreshWords(outcome: RefreshOutcome): string {
  const asked = outcome.answered.length + outcome.rejected.length;
  if (asked === 0) return 'Nothing had to be asked.';
  const rejected = outcome.rejected.length === 0 ? '' : `, ${outcome.rejected.length} not accepted`;
  const changed = outcome.changed.length === 0 ? 'no news' : count(outcome.changed.length, 'has news', 'have news');
  return `Asked about ${count(asked, 'parcel', 'parcels')}: ${changed}${rejected}.`;
}

/** Asks now about one parcel. */
export function refreshOne(scope: ActionScope, parcel: Parcel): void {
  tellOutcome(scope, `Asking about ${parcelTitle(parcel)}…`, async () =>
    refreshWords(await scope.monitor.refresh([parcel.id])),
  );
}

/** Asks now about all that are due. */
export function refreshDue(scope: ActionScope): void {
  const { calls, numbers } = scope.monitor.costOf('due');
  const beginning =
    calls > 1 ? `Asking about ${numbers} parcels takes ${calls} calls…` : 'Asking about all that are due…';
  tellOutcome(scope, beginning, async () => refreshWords(await scope.monitor.refreshDue()));
}

/** What was done, with how it reached the service. */
export function changeWords(path: ChangePath, what: string): string {
  return path === 'registered-anew' ? `${what}; the number is registered anew.` : `${what}.`;
}

/** Lets the service ask the courier anew about a parcel. */
export function retrack(scope: ActionScope, parcel: Parcel): void {
  tellOutcome(scope, `Letting the service ask about ${parcelTitle(parcel)}…`, async () => {
    const { accepted, actualRefreshTime, message } = await scope.board.account.retrack(parcel.id);
    if (accepted) return `The courier is asked anew about ${parcelTitle(parcel)}.`;
    const when = actualRefreshTime === null ? '' : ` It was asked last at ${actualRefreshTime} on the service's clock.`;
    return `The courier is not asked anew: ${message ?? 'that is possible once in six hours'}.${when}`;
  });
}

/** Moves a parcel to another courier, here and at the service. */
export function changeCourier(scope: ActionScope, parcelId: string, courierCode: string): void {
  tellOutcome(scope, `Changing the courier to ${courierCode}…`, async () =>
    changeWords(await scope.board.account.changeCourier(parcelId, courierCode), `The courier is ${courierCode} now`),
  );
}

/** Archives a parcel; `undo` brings it back. */
export function archive(scope: ActionScope, parcel: Parcel): void {
  inBackground(scope, async () => {
    await scope.monitor.archive(parcel.id);
    scope.dispatch(told(`Archived ${parcelTitle(parcel)}. Press u to undo.`));
  });
}

/** Takes back what was done last, and selects what came back. */
export function undo(scope: ActionScope): void {
  inBackground(scope, async () => {
    const outcome = await scope.monitor.undo();
    if (outcome === null) return;
    const [first] = outcome.parcelIds;
    if (first !== undefined) {
      scope.dispatch({ kind: 'selected', parcelId: first, index: scope.ui.selectedIndex });
    }
    scope.dispatch(told(outcome.message));
  });
}

/** Lets nothing be asked by itself, or everything again. */
export function togglePause(scope: ActionScope): void {
  const { monitor } = scope;
  inBackground(scope, async () => {
    if (monitor.getState().polling.paused) {
      await monitor.resume();
      scope.dispatch(told('Asking goes on.'));
    } else {
      await monitor.pause();
      scope.dispatch(told('Paused: nothing is asked by itself until you press P again; r and R still ask.'));
    }
  });
}
