import { courierPage, trackingLink } from '../../board/courier/courier-page.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { inBackground, showMessage } from '../footer/messages.ts';
import type { ParcelBoard } from './parcel-board.ts';

const beginning = "Courier's page";

/** Opens the courier's page about a parcel; where that cannot be done, a notice shows its address. */
export function openCourierPage(board: ParcelBoard, listed: Parcel): void {
  inBackground(board, async () => {
    const [parcel = listed] = await board.monitor.whole([listed.id]);
    const page = courierPage(parcel);
    if (page === null) {
      showMessage(board, "The courier's page is not known yet.");
      return;
    }
    const why = await board.openPage(page);
    if (why === null) {
      const what = trackingLink(parcel) === null ? "the courier's home page" : "the courier's page";
      showMessage(board, `Opened ${what}.`);
      return;
    }
    const before = board.monitor.getState().notices.find((notice) => notice.startsWith(beginning));
    board.monitor.notifyBriefly(`${beginning}: ${page} (${why})`, before);
  });
}
