import { courierPage, trackingLink } from '../../board/courier/courier-page.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { type ActionScope, inBackground, told } from '../action-scope.ts';

const beginning = "Courier's page";

/** Opens the courier's page about a parcel; where that cannot be done, a notice shows its address. */
export function openCourierPage(scope: ActionScope, parcel: Parcel): void {
  const page = courierPage(parcel);
  if (page === null) {
    scope.dispatch(told('No page of the courier is known yet.'));
    return;
  }
  inBackground(scope, async () => {
    const why = await scope.board.openPage(page);
    if (why === null) {
      const what = trackingLink(parcel) === null ? "the courier's home page" : "the courier's page";
      scope.dispatch(told(`Opened ${what}.`));
      return;
    }
    const before = scope.monitor.getState().notices.find((notice) => notice.startsWith(beginning));
    scope.monitor.tell(`${beginning}: ${page} (${why})`, before);
  });
}
